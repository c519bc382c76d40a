import { setTimeout as sleep } from 'node:timers/promises';
import {
  channelNames,
  configsIn,
  keptPages,
  keptReleases,
  newestSequence,
  previewedVersions,
  versionsIn,
  versionsSince,
  type Keep,
} from './collection.repository.ts';
import { appsEverLive, formerVersions } from '../channels/index.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import {
  findPacks,
  findSourceMaps,
  versionName,
  type VersionPair,
  readIntegrities,
  earlierVersions,
} from '../versions/index.ts';

export interface NeededVersions {
  /** `<app>@<version>` */
  versions: Set<string>;
  configs: readonly string[];
  newest: number;
}

export interface NeededBlobs extends NeededVersions {
  blobs: Set<string>;
}

/** Fallback versions per app that are kept even if no kept release contains them. */
const WAYS_BACK = 3;
const READ_AT_ONCE = 50;

/** Reads in small batches and pauses as long as each one took, since changes share the event loop and the database. */
export async function findNeeded(db: RegistryDb, keep: Keep, now: Date): Promise<NeededBlobs> {
  const { unread, ...needed } = await findNeededVersions(db, keep, now, {
    versions: new Set(),
    configs: [],
    newest: 0,
  });
  const blobs = new Set<string>();
  for (let from = 0; from < unread.length; from += READ_AT_ONCE) {
    const started = performance.now();
    for (const blob of await findBlobs(db, unread.slice(from, from + READ_AT_ONCE))) blobs.add(blob);
    await sleep(performance.now() - started);
  }
  for (const integrity of await keptPages(db, needed)) blobs.add(integrity);
  return { ...needed, blobs };
}

export async function findBlobs(db: RegistryDb, versions: readonly VersionPair[]): Promise<Set<string>> {
  const blobs = new Set<string>();
  for await (const integrities of readIntegrities(db, versions)) {
    for (const integrity of integrities) blobs.add(integrity);
  }
  for (const find of [findPacks, findSourceMaps])
    for (const blob of Object.values(await find(db, versions))) blobs.add(blob);
  return blobs;
}

/**
 * @param before stays needed and is not read again: manifests are immutable, and reading all of them takes seconds.
 */
export async function findNeededVersions(
  db: RegistryDb,
  keep: Keep,
  now: Date,
  before: NeededVersions,
): Promise<NeededVersions & { unread: VersionPair[] }> {
  // First: a version published during the queries below is checked again.
  const newest = await newestSequence(db);
  const releases = await keptReleases(db, keep);
  const pairs = [
    ...(await versionsIn(db, releases)),
    ...(await waysBack(db)),
    ...(await versionsSince(db, keep.since, before.newest)),
    ...(await previewedVersions(db, now)),
  ];
  const unread = pairs.filter(([app, version]) => !before.versions.has(versionName(app, version)));
  const versions = new Set(before.versions);
  for (const [app, version] of unread) versions.add(versionName(app, version));
  const configs = [...new Set([...before.configs, ...(await configsIn(db, releases))])];
  return { versions, configs, newest, unread };
}

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
