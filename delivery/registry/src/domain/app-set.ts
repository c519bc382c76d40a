import type { AppChange, Retired } from '@site/contract';

/** Which version of each app is live together: app → version id. */
export type AppSet = Readonly<Record<string, string>>;

/** The apps whose version differs between two sets, in either direction, sorted. */
export function changedApps(before: AppSet, after: AppSet): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((app) => before[app] !== after[app])
    .sort();
}

/** What is live together, what is left out of it (app → the version that it had), and what was retired. */
export interface LiveSet {
  apps: AppSet;
  leftOut: AppSet;
  retired: Readonly<Record<string, Retired>>;
}

/** The set without some apps. Which version they had is kept: they come back, and what is theirs stays theirs. */
export function leaveOut({ apps, leftOut, retired }: LiveSet, without: readonly string[]): LiveSet {
  const [left, stay] = [true, false].map((isLeft) =>
    Object.fromEntries(Object.entries(apps).filter(([app]) => without.includes(app) === isLeft)),
  );
  return { apps: stay ?? {}, leftOut: { ...leftOut, ...left }, retired };
}

/** The set without an app that is not to come back. */
export function retire({ apps, leftOut, retired }: LiveSet, app: string, what: Retired): LiveSet {
  return {
    apps: withoutKey(apps, app),
    leftOut: withoutKey(leftOut, app),
    retired: { ...retired, [app]: what },
  };
}

/** The set with one more app, or another version of one. */
export function withApp({ apps, leftOut, retired }: LiveSet, app: string, version: string): LiveSet {
  return {
    apps: { ...apps, [app]: version },
    leftOut: withoutKey(leftOut, app),
    retired: withoutKey(retired, app),
  };
}

function withoutKey<T>(map: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
}

/** The set that an author's changes make of the parent's set. Apps that are not named stay as they are. */
export function applyChanges(parent: LiveSet, changes: AppSet): LiveSet {
  return Object.entries(changes).reduce((set, [app, version]) => withApp(set, app, version), parent);
}

/** The set of a release; nothing before the first one. */
export function setOf(release: (Pick<LiveSet, 'apps'> & MaybeAbsent) | undefined): LiveSet {
  return {
    apps: release?.apps ?? {},
    leftOut: release?.leftOut ?? {},
    retired: release?.retired ?? {},
  };
}

/** A release says nothing of what it has none of. */
type MaybeAbsent = { [Part in 'leftOut' | 'retired']?: LiveSet[Part] | undefined };

/** The same with both versions. */
export function appChanges(before: AppSet, after: AppSet): AppChange[] {
  return changedApps(before, after).map((app) => ({
    app,
    from: before[app] ?? null,
    to: after[app] ?? null,
  }));
}
