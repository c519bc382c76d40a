import type { RemoteManifest, VersionManifest } from '@site/contract';

/** A path that two apps want. */
export interface PathConflict {
  path: string;
  owner: string;
  claimant: string;
}

/** Every path that a version answers: its pages and the sources of its redirects. The shell answers none itself. */
export function claimedPaths(manifest: VersionManifest): string[] {
  if (manifest.kind === 'shell') return [];
  return [...manifest.pages.map(({ path }) => path), ...manifest.redirects.map(({ from }) => from)];
}

/** The paths of a version that other apps of the set own already. An app never conflicts with its own older version. */
export function pathConflicts(manifest: VersionManifest, others: readonly VersionManifest[]): PathConflict[] {
  const owners = new Map(
    others
      .filter(({ app }) => app !== manifest.app)
      .flatMap((other) => claimedPaths(other).map((path) => [path, other.app] as const)),
  );
  return claimedPaths(manifest).flatMap((path) => {
    const owner = owners.get(path);
    return owner === undefined ? [] : [{ path, owner, claimant: manifest.app }];
  });
}

/** The paths that stand twice in a set of versions that is to be live together. */
export function conflictsWithin(manifests: readonly VersionManifest[]): PathConflict[] {
  return manifests.flatMap((manifest, index) => pathConflicts(manifest, manifests.slice(0, index)));
}

/**
 * A path from which the redirects of a set never arrive at a page, or null. `*` takes every path that nobody answers,
 * so `* → /home` without a page `/home` sends every unknown address round in circles.
 */
export function redirectLoop(remotes: readonly Pick<RemoteManifest, 'pages' | 'redirects'>[]): string | null {
  const pages = new Set(remotes.flatMap((remote) => remote.pages.map(({ path }) => path)));
  const targets = new Map(
    remotes.flatMap((remote) => remote.redirects.map(({ from, to }) => [from, to.replace(/#.*$/, '')])),
  );
  // What is known to arrive is not followed again: a long chain costs one look for each of its redirects.
  const arriving = new Set<string>();
  for (const start of targets.keys()) {
    const visited = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !pages.has(at)) {
      const source: string = targets.has(at) ? at : '*';
      if (arriving.has(source)) break;
      if (visited.has(source)) return start;
      visited.add(source);
      at = targets.get(source);
    }
    for (const source of visited) arriving.add(source);
  }
  return null;
}
