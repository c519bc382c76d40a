import {
  channelNames,
  configsIn,
  keptPages,
  keptReleases,
  previewedVersions,
  versionsIn,
  versionsSince,
  type Keep,
} from '../database/collection.repository.ts';
import { appsEverLive, formerVersions } from '../database/live-version.repository.ts';
import type { RegistryDb } from '../database/tables.ts';
import { findPacks, findSourceMaps, versionName, type VersionPair } from '../database/version.repository.ts';
import { readManifests } from '../database/manifest.repository.ts';
import { earlierVersions } from '../domain/last-good.ts';

/** What must stay, by the rules of `POST /v1/collections`. */
export interface NeededBlobs {
  /** `<app>@<version>` */
  versions: Set<string>;
  blobs: Set<string>;
  /** The configurations, by their digests, that pages are kept for. */
  configs: readonly string[];
}

/** How many versions of an app to fall back to stay even when no kept release names them. */
const WAYS_BACK = 3;

/**
 * @param before what was needed a moment ago stays needed, and is not read again: manifests never change, and reading all of them
 * takes seconds.
 */
export async function findNeeded(
  db: RegistryDb,
  keep: Keep,
  now: Date,
  before: NeededBlobs = { versions: new Set(), blobs: new Set(), configs: [] },
): Promise<NeededBlobs> {
  const releases = await keptReleases(db, keep);
  const pairs = [
    ...(await versionsIn(db, releases)),
    ...(await waysBack(db)),
    ...(await versionsSince(db, keep.since)),
    ...(await previewedVersions(db, now)),
  ];
  const { blobs } = before;
  const unread = pairs.filter(([app, version]) => !before.versions.has(versionName(app, version)));
  const versions = new Set([
    ...before.versions,
    ...unread.map(([app, version]) => versionName(app, version)),
  ]);
  const configs = [...new Set([...before.configs, ...(await configsIn(db, releases))])];
  for await (const manifest of readManifests(db, unread, { withFiles: true })) {
    for (const { integrity } of [...manifest.assets, manifest.server]) blobs.add(integrity);
  }
  for (const find of [findPacks, findSourceMaps])
    for (const blob of Object.values(await find(db, unread))) blobs.add(blob);
  for (const integrity of await keptPages(db, { versions, configs })) blobs.add(integrity);
  return { versions, configs, blobs };
}

/** What a rollback without "to" would choose among, however long ago it was live. */
async function waysBack(db: RegistryDb): Promise<VersionPair[]> {
  const pairs: VersionPair[] = [];
  for (const name of await channelNames(db)) {
    const apps = await appsEverLive(db, name);
    const former = await formerVersions(db, name, apps);
    for (const [app, versions] of former) {
      const best = earlierVersions(null, versions).slice(0, WAYS_BACK + 1);
      pairs.push(...best.map((version) => [app, version] as const));
    }
  }
  return pairs;
}
