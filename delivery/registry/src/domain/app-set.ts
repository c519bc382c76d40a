import type { AppChange } from '@site/contract';

/** Which version of each app is live together: app → version id. */
export type AppSet = Readonly<Record<string, string>>;

/** The apps whose version differs between two sets, in either direction, sorted. */
export function changedApps(before: AppSet, after: AppSet): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((app) => before[app] !== after[app])
    .sort();
}

/** The set that an author's changes make of the parent's set. Apps that are not named stay as they are. */
export function applyChanges(parent: AppSet, changes: AppSet): AppSet {
  return { ...parent, ...changes };
}

/** The same with both versions. */
export function appChanges(before: AppSet, after: AppSet): AppChange[] {
  return changedApps(before, after).map((app) => ({
    app,
    from: before[app] ?? null,
    to: after[app] ?? null,
  }));
}
