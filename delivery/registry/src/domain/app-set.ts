import type { AppChange } from '@site/contract';

/** Which version of each app is live together: app → version id. */
export type AppSet = Readonly<Record<string, string>>;

/** The apps whose version differs between two sets, in either direction, sorted. */
export function changedApps(before: AppSet, after: AppSet): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((app) => before[app] !== after[app])
    .sort();
}

/** What is live together, and what is left out of it: app → the version that it had. */
export interface LiveSet {
  apps: AppSet;
  leftOut: AppSet;
}

/** The set without some apps. Which version they had is kept: they come back, and what is theirs stays theirs. */
export function leaveOut({ apps, leftOut }: LiveSet, without: readonly string[]): LiveSet {
  const [left, stay] = [true, false].map((isLeft) =>
    Object.fromEntries(Object.entries(apps).filter(([app]) => without.includes(app) === isLeft)),
  );
  return { apps: stay ?? {}, leftOut: { ...leftOut, ...left } };
}

/** The set with one more app, or another version of one. */
export function withApp({ apps, leftOut }: LiveSet, app: string, version: string): LiveSet {
  const others = Object.entries(leftOut).filter(([other]) => other !== app);
  return { apps: { ...apps, [app]: version }, leftOut: Object.fromEntries(others) };
}

/** The set that an author's changes make of the parent's set. Apps that are not named stay as they are. */
export function applyChanges(parent: LiveSet, changes: AppSet): LiveSet {
  return Object.entries(changes).reduce((set, [app, version]) => withApp(set, app, version), parent);
}

/** The set of a release; nothing before the first one. */
export function setOf(release: { apps: AppSet; leftOut?: AppSet | undefined } | undefined): LiveSet {
  return { apps: release?.apps ?? {}, leftOut: release?.leftOut ?? {} };
}

/** The same with both versions. */
export function appChanges(before: AppSet, after: AppSet): AppChange[] {
  return changedApps(before, after).map((app) => ({
    app,
    from: before[app] ?? null,
    to: after[app] ?? null,
  }));
}
