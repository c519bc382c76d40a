import { withoutAnchor, type Redirect, type RemoteManifest, type VersionManifest } from '@site/contract';
import { claimedPaths, nextRedirect } from '@site/contract/redirects';

export interface PathConflict {
  path: string;
  owner: string;
  claimant: string;
}

export function manifestPaths(manifest: VersionManifest): string[] {
  return manifest.kind === 'shell' ? [] : claimedPaths(manifest);
}

export type PathOwners = ReadonlyMap<string, string>;

export function indexOwners(manifests: readonly VersionManifest[]): PathOwners {
  return new Map(manifests.flatMap((other) => manifestPaths(other).map((path) => [path, other.app])));
}

/** An app never conflicts with its own older version. */
export function conflictsWith(manifest: VersionManifest, owners: PathOwners): PathConflict[] {
  return manifestPaths(manifest).flatMap((path) => {
    const owner = owners.get(path);
    return owner === undefined || owner === manifest.app ? [] : [{ path, owner, claimant: manifest.app }];
  });
}

export function pathConflicts(manifest: VersionManifest, others: readonly VersionManifest[]): PathConflict[] {
  return conflictsWith(manifest, indexOwners(others.filter(({ app }) => app !== manifest.app)));
}

/** Linear in the size of the set. */
export function conflictsWithin(manifests: readonly VersionManifest[]): PathConflict[] {
  const owners = new Map<string, string>();
  return manifests.flatMap((manifest) => {
    const conflicts = conflictsWith(manifest, owners);
    for (const path of manifestPaths(manifest)) owners.set(path, manifest.app);
    return conflicts;
  });
}

export function haveSameRoutes(one: VersionManifest, other: VersionManifest): boolean {
  return JSON.stringify(listRoutes(one)) === JSON.stringify(listRoutes(other));
}

function listRoutes(manifest: VersionManifest): unknown {
  if (manifest.kind === 'shell') return [];
  return [manifest.pages.map(({ path }) => path), manifest.redirects.map(({ from, to }) => [from, to])];
}

/**
 * A path whose redirects never reach a page, or null. `*` matches every unknown path, so `* → /home` without a page
 * `/home` is a loop.
 */
export function redirectLoop(remotes: readonly Pick<RemoteManifest, 'pages' | 'redirects'>[]): string | null {
  const pages = new Set(remotes.flatMap((remote) => remote.pages.map(({ path }) => path)));
  const redirects = new Map<string, Redirect>(
    remotes.flatMap((remote) => remote.redirects.map((redirect) => [redirect.from, redirect])),
  );
  // Memoized: a long chain costs one step per redirect.
  const arriving = new Set<string>();
  for (const start of redirects.keys()) {
    const visited = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !pages.has(at) && !arriving.has(at)) {
      if (visited.has(at)) return start;
      visited.add(at);
      const to: string | null | undefined = nextRedirect(at, { pages, redirects, gone: new Set() })?.to;
      at = to ? withoutAnchor(to) : undefined;
    }
    for (const path of visited) arriving.add(path);
  }
  return null;
}
