import { isReserved, patternsOverlap } from '@site/contract';
import type { OwnedApp } from '@site/contract/registry-calls/app.calls';

export interface Reserved {
  wanted: string;
  pattern: string;
  owner: OwnedApp;
}

export function reservedForOthers(
  app: string,
  claims: readonly string[],
  apps: readonly OwnedApp[],
): Reserved[] {
  return amongOthers(app, claims, apps, (pattern, path) => isReserved([pattern], path));
}

/** Requested patterns that overlap with other apps' reservations. */
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

export function outside(claims: readonly string[], paths: readonly string[]): string[] {
  return claims.filter((claim) => !isReserved(paths, claim));
}
