import { isReserved, patternsOverlap } from '@site/contract';
import type { OwnedApp } from '@site/contract/registry-calls/app.calls';

/** A path, or a pattern of paths, and the other app that it is reserved for. */
export interface Reserved {
  wanted: string;
  /** The pattern that keeps it. */
  pattern: string;
  owner: OwnedApp;
}

/** What of an app's claims is reserved for others. */
export function reservedForOthers(
  app: string,
  claims: readonly string[],
  apps: readonly OwnedApp[],
): Reserved[] {
  return amongOthers(app, claims, apps, (pattern, path) => isReserved([pattern], path));
}

/** What of the patterns that are to be kept for an app others have already. */
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

/** What of an app's claims is not among the paths that are kept for it. */
export function outside(claims: readonly string[], paths: readonly string[]): string[] {
  return claims.filter((claim) => !isReserved(paths, claim));
}
