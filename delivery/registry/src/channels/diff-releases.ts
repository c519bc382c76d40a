import type { Release, ReleaseDiff, VersionManifest } from '@site/contract';
import { configChanges } from '@site/contract/site-config.schema';
import { findManifests, versionName, appChanges } from '../versions/index.ts';
import { difference } from '../kernel/lists.ts';
import type { RegistryContext } from '../kernel/context.ts';

export async function diffReleases(
  { db }: RegistryContext,
  from: Release,
  to: Release,
): Promise<ReleaseDiff> {
  const manifests = await findManifests(db, [...Object.entries(from.apps), ...Object.entries(to.apps)]);
  const findManifest = (app: string, version: string | null) =>
    version === null ? undefined : manifests.get(versionName(app, version));
  const apps = appChanges(from.apps, to.apps);
  const releasePaths = ({ apps: set }: Release) =>
    Object.entries(set).flatMap(([app, version]) => manifestPaths(findManifest(app, version)));
  const [before, after] = [releasePaths(from), releasePaths(to)];
  return {
    from: from.id,
    to: to.id,
    apps,
    config: configChanges(from.config, to.config),
    pages: { added: difference(after, before), removed: difference(before, after) },
    files: apps.map((change) => ({
      app: change.app,
      ...fileChanges(findManifest(change.app, change.from), findManifest(change.app, change.to)),
    })),
  };
}

function manifestPaths(manifest: VersionManifest | undefined): string[] {
  return manifest?.kind === 'remote' ? manifest.pages.map(({ path }) => path) : [];
}

function fileChanges(from: VersionManifest | undefined, to: VersionManifest | undefined) {
  const [before, after] = [from?.assets ?? [], to?.assets ?? []].map((files) =>
    files.map(({ path }) => path),
  );
  const added = difference(after ?? [], before ?? []);
  return {
    // An app's file paths are immutable, so a changed file has another path.
    added,
    removed: difference(before ?? [], after ?? []),
    unchanged: (after ?? []).length - added.length,
    bytesFrom: totalBytes(from),
    bytesTo: totalBytes(to),
  };
}

function totalBytes(manifest: VersionManifest | undefined): number {
  return (manifest?.assets ?? []).reduce((sum, { size }) => sum + size, 0);
}
