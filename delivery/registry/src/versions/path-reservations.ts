import { isReserved, patternsOverlap } from '@site/contract';
import type { OwnedApp } from '@site/contract/registry-calls/app.calls';

/** A path or path pattern that is reserved for another app. */
export interface Reserved {
  wanted: string;
  /** The reserving pattern. */
  pattern: string;
  owner: OwnedApp;
}

/** The claims of an app that are reserved for others. */
export function reservedForOthers(
  app: string,
  claims: readonly string[],
  apps: readonly OwnedApp[],
): Reserved[] {
  return amongOthers(app, claims, apps, (pattern, path) => isReserved([pattern], path));
}

/** The app's requested patterns that overlap with other apps' reservations. */
export function overlapping({ app, paths }: OwnedApp, apps: readonly OwnedApp[]): Reserved[] {
  return amongOthers(app, paths, apps, patternsOverlap);
}

function amongOthers(
  app: string,
  wanted: readonly string[],
  apps: readonly OwnedApp[],
  isMeant: (pattern: string, wanted: string) => boolean,
): Reserved[] {
  const others = apps.filter((other) => other.app !== app);
  return wanted.flatMap((one) =>
    others.flatMap((owner) => {
      const pattern = owner.paths.find((kept) => isMeant(kept, one));
      return pattern === undefined ? [] : [{ wanted: one, pattern, owner }];
    }),
  );
}

/** The claims of an app outside its reserved paths. */
export function outside(claims: readonly string[], paths: readonly string[]): string[] {
  return claims.filter((claim) => !isReserved(paths, claim));
}
