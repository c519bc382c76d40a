import type { RegistryClient } from '@site/cli/registry-client';
import { readBuild } from '@site/cli/read-build';
import { localApp } from '@site/cli/repository';
import { claimedPaths } from '@site/contract/redirects';

/**
 * Pages may move between apps in the sources: releases the reserved paths that an app no longer claims and
 * another app of this checkout claims, before both are published.
 */
export async function giveUpPaths(
  registry: RegistryClient,
  root: string,
  apps: readonly string[],
): Promise<void> {
  const claims = new Map<string, string[]>();
  for (const app of apps) {
    const { manifest } = await readBuild(localApp(root, app));
    if (manifest.kind !== 'shell') claims.set(app, claimedPaths(manifest));
  }
  const registered = await registry.listOwnedApps({ params: { channel: 'production' } });
  for (const { app, paths } of registered.apps) {
    const own = claims.get(app);
    if (!own) continue;
    const wanted = new Set([...claims].flatMap(([other, theirs]) => (other === app ? [] : theirs)));
    const kept = paths.filter((path) => own.includes(path) || !wanted.has(path));
    if (kept.length === paths.length) continue;
    await registry.changeApp({
      params: { app },
      body: { paths: kept, reason: 'npm start: a page has moved' },
    });
  }
}
