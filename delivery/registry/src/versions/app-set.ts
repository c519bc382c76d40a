import type { AppChange, Retired } from '@site/contract';

export type AppSet = Readonly<Record<string, string>>;

/** In either direction, sorted. */
export function changedApps(before: AppSet, after: AppSet): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((app) => before[app] !== after[app])
    .sort();
}

export interface LiveSet {
  apps: AppSet;
  leftOut: AppSet;
  retired: Readonly<Record<string, Retired>>;
}

/** Their versions are remembered, since they will return, and they keep their paths. */
export function leaveOut({ apps, leftOut, retired }: LiveSet, without: readonly string[]): LiveSet {
  const [left, stay] = [true, false].map((isLeft) =>
    Object.fromEntries(Object.entries(apps).filter(([app]) => without.includes(app) === isLeft)),
  );
  return { apps: stay ?? {}, leftOut: { ...leftOut, ...left }, retired };
}

/** Removes an app permanently. */
export function retire({ apps, leftOut, retired }: LiveSet, app: string, what: Retired): LiveSet {
  return {
    apps: withoutKey(apps, app),
    leftOut: withoutKey(leftOut, app),
    retired: { ...retired, [app]: what },
  };
}

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

/** Unnamed apps are unchanged. */
export function applyChanges(parent: LiveSet, changes: AppSet): LiveSet {
  return Object.entries(changes).reduce((set, [app, version]) => withApp(set, app, version), parent);
}

export function toLiveSet(release: (Pick<LiveSet, 'apps'> & MaybeAbsent) | undefined): LiveSet {
  return {
    apps: release?.apps ?? {},
    leftOut: release?.leftOut ?? {},
    retired: release?.retired ?? {},
  };
}

/** Releases omit empty maps. */
type MaybeAbsent = { [Part in 'leftOut' | 'retired']?: LiveSet[Part] | undefined };

export function appChanges(before: AppSet, after: AppSet): AppChange[] {
  return changedApps(before, after).map((app) => ({
    app,
    from: before[app] ?? null,
    to: after[app] ?? null,
  }));
}
