import { sql, type Kysely, type Transaction } from 'kysely';
import type { FileEntry, VersionManifest } from '@site/contract';
import type { AppSet } from '../domain/app-set.ts';
import type { RegistryTables } from './tables.ts';

export interface NewVersion {
  manifest: VersionManifest;
  contentDigest: string;
  publishedBy: string;
  publishedAt: Date;
}

export async function findVersion(db: Kysely<RegistryTables>, app: string, version: string) {
  return db
    .selectFrom('versions')
    .selectAll()
    .where('app', '=', app)
    .where('version', '=', version)
    .executeTakeFirst();
}

/** The manifests of a set of versions, keyed `<app>@<version>`. Versions that do not exist are left out. */
export async function findManifests(
  db: Kysely<RegistryTables>,
  wanted: Iterable<readonly [app: string, version: string]>,
): Promise<Map<string, VersionManifest>> {
  const pairs = [...wanted];
  if (pairs.length === 0) return new Map();
  const rows = await db
    .selectFrom('versions')
    .select(['app', 'version', 'manifest'])
    .where((where) => where.or(pairs.map(([app, version]) => where.and({ app, version }))))
    .execute();
  return new Map(rows.map(({ app, version, manifest }) => [versionName(app, version), manifest]));
}

/** How messages, manifests of a release document and commands name a version. */
export function versionName(app: string, version: string): string {
  return `${app}@${version}`;
}

/** @returns whether the version is new; an id that exists is left as it is. */
export async function insertVersion(
  transaction: Transaction<RegistryTables>,
  { manifest, contentDigest, publishedBy, publishedAt }: NewVersion,
): Promise<boolean> {
  const inserted = await transaction
    .insertInto('versions')
    .values({
      app: manifest.app,
      version: manifest.version,
      manifest: JSON.stringify(manifest),
      content_digest: contentDigest,
      published_by: publishedBy,
      published_at: publishedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('sequence')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Brings back a version whose files were collected. @returns whether it was collected. */
export async function restoreVersion(
  transaction: Transaction<RegistryTables>,
  { manifest, contentDigest, publishedBy, publishedAt }: NewVersion,
): Promise<boolean> {
  const restored = await transaction
    .updateTable('versions')
    .set({
      collected_at: null,
      published_by: publishedBy,
      published_at: publishedAt,
      sequence: sql<number>`default`,
    })
    .where('app', '=', manifest.app)
    .where('version', '=', manifest.version)
    .where('content_digest', '=', contentDigest)
    .where('collected_at', 'is not', null)
    .returning('version')
    .executeTakeFirst();
  return restored !== undefined;
}

/**
 * A version that is published again is the one that was published last, as after taking a change back. @returns whether
 * another one was.
 */
export async function makeNewest(
  transaction: Transaction<RegistryTables>,
  { app, version, by, at }: { app: string; version: string; by: string; at: Date },
): Promise<boolean> {
  const newest = await transaction
    .selectFrom('versions')
    .select('version')
    .where('app', '=', app)
    .where('collected_at', 'is', null)
    .orderBy('sequence', 'desc')
    .executeTakeFirst();
  if (newest?.version === version) return false;
  await transaction
    .updateTable('versions')
    .set({ sequence: sql<number>`default`, published_by: by, published_at: at })
    .where('app', '=', app)
    .where('version', '=', version)
    .execute();
  return true;
}

/** Records the files of a version. @returns the first path that has other contents already, or null. */
export async function insertAssets(
  transaction: Transaction<RegistryTables>,
  app: string,
  assets: readonly FileEntry[],
): Promise<string | null> {
  // In one order for everyone: two versions that share files must not wait for each other.
  const inOrder = assets.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  await transaction
    .insertInto('assets')
    .values(inOrder.map(({ path, integrity, size }) => ({ app, path, integrity, size })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await transaction
    .selectFrom('assets')
    .select(['path', 'integrity'])
    .where('app', '=', app)
    .where(
      'path',
      'in',
      assets.map(({ path }) => path),
    )
    .execute();
  const integrities = new Map(stored.map(({ path, integrity }) => [path, integrity]));
  return assets.find(({ path, integrity }) => integrities.get(path) !== integrity)?.path ?? null;
}

export async function findAsset(db: Kysely<RegistryTables>, app: string, path: string) {
  return db
    .selectFrom('assets')
    .select(['integrity', 'size'])
    .where('app', '=', app)
    .where('path', '=', path)
    .executeTakeFirst();
}

/** The newest version of each app, by order of publishing; one that was collected only when there is no other. */
export async function listApps(db: Kysely<RegistryTables>) {
  return db
    .selectFrom('versions')
    .distinctOn('app')
    .select(['app', 'version as newest', 'published_at as publishedAt', 'published_by as publishedBy'])
    .orderBy('app')
    .orderBy(sql`collected_at is not null`)
    .orderBy('sequence', 'desc')
    .execute();
}

/** All versions of one app, newest first. */
export async function listVersions(db: Kysely<RegistryTables>, app: string) {
  return db
    .selectFrom('versions')
    .leftJoin('quarantines', (join) =>
      join
        .onRef('quarantines.app', '=', 'versions.app')
        .onRef('quarantines.version', '=', 'versions.version'),
    )
    .select([
      'versions.version',
      'versions.manifest',
      'versions.published_at',
      'versions.published_by',
      'versions.collected_at',
      'quarantines.reason',
      'quarantines.by',
      'quarantines.at',
    ])
    .where('versions.app', '=', app)
    .orderBy('versions.sequence', 'desc')
    .execute();
}

/** Those of a set of versions that are quarantined, with the reason. */
export async function findQuarantines(db: Kysely<RegistryTables>, apps: AppSet) {
  const pairs = Object.entries(apps);
  if (pairs.length === 0) return [];
  return db
    .selectFrom('quarantines')
    .selectAll()
    .where((where) => where.or(pairs.map(([app, version]) => where.and({ app, version }))))
    .execute();
}

/** Those of a set of versions whose files were removed from the store. */
export async function findCollected(db: Kysely<RegistryTables>, apps: AppSet) {
  const pairs = Object.entries(apps);
  if (pairs.length === 0) return [];
  const rows = await db
    .selectFrom('versions')
    .select(['app', 'version', 'collected_at'])
    .where('collected_at', 'is not', null)
    .where((where) => where.or(pairs.map(([app, version]) => where.and({ app, version }))))
    .execute();
  return rows.map(({ app, version, collected_at }) => ({ app, version, at: collected_at as Date }));
}
