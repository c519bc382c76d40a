import { sql, type RawBuilder } from 'kysely';
import type { FileEntry, SentForms, VersionManifest } from '@site/contract';
import type { Provenance } from '@site/contract/provenance';
import type { AppSet } from '../domain/app-set.ts';
import { inPortions } from './in-portions.ts';
import { createManifestCache, type VersionRow } from './manifest-cache.ts';
import { versionRows } from './rows-of.ts';
import type { QuarantineRow, RegistryDb, RegistryTransaction } from './tables.ts';
import type { Writing } from './writing.ts';

export interface NewVersion {
  manifest: VersionManifest;
  contentDigest: string;
  /** See the table. */
  pack: string | null;
  sourceMaps: FileEntry | null;
  publishedBy: string;
  publishedAt: Date;
  provenance: Provenance | null;
}

export async function findVersion(db: RegistryDb, app: string, version: string) {
  return db
    .selectFrom('versions')
    .selectAll()
    .where('app', '=', app)
    .where('version', '=', version)
    .executeTakeFirst();
}

/** Every change of a site reads the manifests of all that is live: they are read from the database once. */
const keptManifests = createManifestCache();

/** How a version is named to the database. */
export type VersionPair = readonly [app: string, version: string];

const wholeManifest = sql<VersionManifest>`manifest`;

interface ReadOptions {
  /** Leaves out versions whose files were collected. Default: all that exist. */
  withFiles?: boolean;
  /**
   * Of the files only those that the table of a release names: scripts and the entry. Of these a release cannot have many,
   * for visitors load the table. Default: all.
   */
  filesOfTable?: boolean;
}

/** The manifests of a set of versions, read in portions. Versions that do not exist are left out. */
export async function* readManifests(
  db: RegistryDb,
  wanted: Iterable<VersionPair>,
  { withFiles = false, filesOfTable = false }: ReadOptions = {},
): AsyncGenerator<VersionManifest> {
  const part = filesOfTable
    ? sql<VersionManifest>`manifest || jsonb_build_object('assets',
        jsonb_path_query_array(manifest, '$.assets[*] ? (@.path like_regex "[.]js$" || @.path == $.entry)'))`
    : wholeManifest;
  for await (const { part: manifest } of readParts(db, wanted, part, withFiles)) yield manifest;
}

/** A part of the manifest of each version. */
interface PartOfVersion<Part> {
  app: string;
  version: string;
  part: Part;
}

async function* readParts<Part>(
  db: RegistryDb,
  wanted: Iterable<VersionPair>,
  part: RawBuilder<Part>,
  withFiles = false,
): AsyncGenerator<PartOfVersion<Part>> {
  yield* readPortions(db, await rowsOfVersions(db, wanted, withFiles), part);
}

/** What tells one manifest from another without reading it, and its size. */
async function rowsOfVersions(
  db: RegistryDb,
  wanted: Iterable<VersionPair>,
  withFiles = false,
): Promise<VersionRow[]> {
  const pairs = new Map([...wanted].map((pair) => [versionName(...pair), pair]));
  if (pairs.size === 0) return [];
  const { rows } = await sql<VersionRow>`
    select app, version, sequence, content_digest as digest, manifest_bytes as bytes
    from ${versionRows(pairs.values())} join registry.versions using (app, version)
    where collected_at is null or ${!withFiles}
  `.execute(db);
  return rows;
}

/** As many with one statement as their manifests fit into a portion. */
async function* readPortions<Part>(
  db: RegistryDb,
  rows: readonly VersionRow[],
  part: RawBuilder<Part>,
): AsyncGenerator<PartOfVersion<Part>> {
  for (const portion of inPortions(rows, ({ bytes }) => bytes)) {
    const named = versionRows(portion.map(({ app, version }) => [app, version]));
    const { rows: parts } = await sql<PartOfVersion<Part>>`
      select app, version, ${part} as part from ${named} join registry.versions using (app, version)
    `.execute(db);
    yield* parts;
  }
}

/** The manifests of a set of versions, keyed `<app>@<version>`. Versions that do not exist are left out. */
export async function findManifests(
  db: RegistryDb,
  wanted: Iterable<VersionPair>,
): Promise<ReadonlyMap<string, VersionManifest>> {
  const found = new Map<string, VersionManifest>();
  const missed: VersionRow[] = [];
  for (const row of await rowsOfVersions(db, wanted)) {
    const kept = keptManifests.get(row);
    if (kept) found.set(versionName(row.app, row.version), kept);
    else missed.push(row);
  }
  const rows = new Map(missed.map((row) => [versionName(row.app, row.version), row]));
  for await (const { app, version, part } of readPortions(db, missed, wholeManifest)) {
    const name = versionName(app, version);
    found.set(name, part);
    const row = rows.get(name);
    if (row) keptManifests.add(row, part);
  }
  return found;
}

/** The same, each with those files only that the table of a release names: see `filesOfTable`. */
export async function findTableManifests(
  db: RegistryDb,
  wanted: Iterable<VersionPair>,
): Promise<Map<string, VersionManifest>> {
  const found = new Map<string, VersionManifest>();
  for await (const manifest of readManifests(db, wanted, { filesOfTable: true })) {
    found.set(versionName(manifest.app, manifest.version), manifest);
  }
  return found;
}

/** What versions send to the forms service, keyed `<app>@<version>`. Versions that send nothing are left out. */
export async function findForms(
  db: RegistryDb,
  wanted: Iterable<VersionPair>,
): Promise<Map<string, SentForms>> {
  const found = new Map<string, SentForms>();
  const forms = sql<SentForms>`jsonb_strip_nulls(jsonb_build_object(
    'forms', manifest->'forms', 'declaredForms', manifest->'declaredForms'))`;
  for await (const { app, version, part } of readParts(db, wanted, forms)) {
    if (part.forms || part.declaredForms) found.set(versionName(app, version), part);
  }
  return found;
}

/** The packs of a set of versions, keyed `<app>@<version>`. Versions without one are left out. */
export const findPacks = (db: RegistryDb, wanted: readonly VersionPair[]) => findBlobs(db, 'pack', wanted);

/** The same of their source maps. */
export const findSourceMaps = (db: RegistryDb, wanted: readonly VersionPair[]) =>
  findBlobs(db, 'source_maps', wanted);

async function findBlobs(
  db: RegistryDb,
  column: 'pack' | 'source_maps',
  wanted: readonly VersionPair[],
): Promise<Record<string, string>> {
  if (wanted.length === 0) return {};
  const { rows } = await sql<{ app: string; version: string; blob: string }>`
    select app, version, ${sql.id(column)} as blob from ${versionRows(wanted)} join registry.versions using (app, version)
    where ${sql.id(column)} is not null
  `.execute(db);
  return Object.fromEntries(rows.map(({ app, version, blob }) => [versionName(app, version), blob]));
}

/** Notes the blobs of a version that is recorded. What was published without source maps takes none away. */
export async function noteBlobs(
  db: RegistryDb,
  { app, version }: Pick<VersionManifest, 'app' | 'version'>,
  { pack, sourceMaps }: { pack: string | null; sourceMaps: FileEntry | null },
): Promise<void> {
  await db
    .updateTable('versions')
    .set({ pack, ...(sourceMaps && { source_maps: sourceMaps.integrity }) })
    .where('app', '=', app)
    .where('version', '=', version)
    .execute();
}

/** How messages, manifests of a release document and commands name a version. */
export function versionName(app: string, version: string): string {
  return `${app}@${version}`;
}

/** @returns whether the version is new; an id that exists is left as it is. */
export async function insertVersion(
  transaction: RegistryTransaction,
  { manifest, contentDigest, pack, sourceMaps, publishedBy, publishedAt, provenance }: NewVersion,
): Promise<boolean> {
  const files = [...manifest.assets, manifest.server, ...(sourceMaps ? [sourceMaps] : [])];
  const inserted = await transaction
    .insertInto('versions')
    .values({
      app: manifest.app,
      version: manifest.version,
      manifest: JSON.stringify(manifest),
      content_digest: contentDigest,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      pack,
      source_maps: sourceMaps?.integrity ?? null,
      declared_forms:
        manifest.kind === 'remote' && manifest.declaredForms ? JSON.stringify(manifest.declaredForms) : null,
      published_by: publishedBy,
      published_at: publishedAt,
      provenance: provenance && JSON.stringify(provenance),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('sequence')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Brings back a version whose files were collected. @returns whether it was collected. */
export async function restoreVersion(
  transaction: RegistryTransaction,
  { manifest, contentDigest, pack, sourceMaps, publishedBy, publishedAt, provenance }: NewVersion,
): Promise<boolean> {
  const restored = await transaction
    .updateTable('versions')
    .set({
      collected_at: null,
      pack,
      source_maps: sourceMaps?.integrity ?? null,
      published_by: publishedBy,
      published_at: publishedAt,
      provenance: provenance && JSON.stringify(provenance),
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
  { transaction, by, at }: Writing,
  { app, version, provenance }: { app: string; version: string; provenance: Provenance | null },
): Promise<boolean> {
  const newest = await transaction
    .selectFrom('versions')
    .select('version')
    .where('app', '=', app)
    .where('collected_at', 'is', null)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest?.version === version) return false;
  await transaction
    .updateTable('versions')
    .set({
      sequence: sql<number>`default`,
      published_by: by,
      published_at: at,
      provenance: provenance && JSON.stringify(provenance),
    })
    .where('app', '=', app)
    .where('version', '=', version)
    .execute();
  return true;
}

/** Records the files of a version. @returns the first path that has other contents already, or null. */
export async function insertAssets(
  transaction: RegistryTransaction,
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

export async function findAsset(db: RegistryDb, app: string, path: string) {
  return db
    .selectFrom('assets')
    .select(['integrity', 'size'])
    .where('app', '=', app)
    .where('path', '=', path)
    .executeTakeFirst();
}

export interface NewestVersion {
  app: string;
  newest: string;
  publishedAt: Date;
}

/** The newest version of each app, by order of publishing; one that was collected only when there is no other. */
export async function listApps(db: RegistryDb): Promise<NewestVersion[]> {
  // From name to name through the index: the versions between them are not read.
  const { rows } = await sql<NewestVersion>`
    with recursive names as (
      select min(app) as app from registry.versions
      union all
      select (select min(app) from registry.versions where app > names.app) from names where app is not null
    )
    select names.app, newest.version as newest, newest.published_at as "publishedAt"
    from names cross join lateral (
      select version, published_at from registry.versions
      where versions.app = names.app order by collected_at is not null, sequence desc limit 1
    ) as newest
    order by names.app
  `.execute(db);
  return rows;
}

export async function hasApp(db: RegistryDb, app: string): Promise<boolean> {
  const row = await db
    .selectFrom('versions')
    .select('app')
    .where('app', '=', app)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a version stands in any release. */
export async function wasReleased(db: RegistryDb, app: string, version: string): Promise<boolean> {
  const row = await db
    .selectFrom('release_apps')
    .select('release')
    .where('app', '=', app)
    .where('version', '=', version)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The place of a version in the order of publishing. Undefined for one that does not exist. */
export async function findSequence(
  db: RegistryDb,
  app: string,
  version: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('versions')
    .select('sequence')
    .where('app', '=', app)
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.sequence;
}

/** Versions of one app, newest first: the next ones before a place in the order of publishing. */
export async function listVersions(
  db: RegistryDb,
  app: string,
  { limit, before }: { limit: number; before: number },
) {
  return db
    .selectFrom('versions')
    .leftJoin('quarantines', (join) =>
      join
        .onRef('quarantines.app', '=', 'versions.app')
        .onRef('quarantines.version', '=', 'versions.version'),
    )
    .select([
      'versions.version',
      'versions.sequence',
      // Not the whole manifest: an app may have thousands.
      sql<string | null>`versions.manifest->>'commit'`.as('commit'),
      sql<number>`coalesce(jsonb_array_length(versions.manifest->'pages'), 0)`.as('pages'),
      sql<number>`versions.bytes::float8`.as('bytes'),
      'versions.published_at',
      'versions.published_by',
      'versions.provenance',
      'versions.collected_at',
      'quarantines.reason',
      'quarantines.by',
      'quarantines.at',
    ])
    .where('versions.app', '=', app)
    .where('versions.sequence', '<', before)
    .orderBy('versions.sequence', 'desc')
    .limit(limit)
    .execute();
}

/** Those of a set of versions that are quarantined, with the reason. */
export async function findQuarantines(
  db: RegistryDb,
  apps: AppSet | Iterable<readonly [app: string, version: string]>,
): Promise<QuarantineRow[]> {
  const pairs = Symbol.iterator in apps ? [...apps] : Object.entries(apps);
  if (pairs.length === 0) return [];
  const { rows } = await sql<QuarantineRow>`
    select quarantines.* from ${versionRows(pairs)} join registry.quarantines using (app, version)
  `.execute(db);
  return rows;
}

/** Where versions of different apps come from, by app. Those of which nothing is known are left out. */
export async function findProvenances(
  db: RegistryDb,
  versions: readonly VersionPair[],
): Promise<Map<string, Provenance>> {
  if (versions.length === 0) return new Map();
  const { rows } = await sql<{ app: string; provenance: Provenance }>`
    select app, provenance from ${versionRows(versions)} join registry.versions using (app, version)
    where provenance is not null
  `.execute(db);
  return new Map(rows.map(({ app, provenance }) => [app, provenance]));
}

/** Those of a set of versions whose files were removed from the store. */
export async function findCollected(db: RegistryDb, apps: AppSet) {
  const pairs = Object.entries(apps);
  if (pairs.length === 0) return [];
  const { rows } = await sql<{ app: string; version: string; at: Date }>`
    select app, version, collected_at as at from ${versionRows(pairs)} join registry.versions using (app, version)
    where collected_at is not null
  `.execute(db);
  return rows;
}

/** How much of each app is kept; counted by a trigger. */
export async function listUsage(db: RegistryDb): Promise<{ app: string; versions: number; bytes: number }[]> {
  const { rows } = await sql<{ app: string; versions: number; bytes: number }>`
    select app, versions, bytes::float8 as bytes from registry.app_usage order by app`.execute(db);
  return rows;
}

/** How much of an app is kept. */
export async function usageOf(db: RegistryDb, app: string): Promise<{ versions: number; bytes: number }> {
  const { rows } = await sql<{ versions: number; bytes: number }>`
    select versions, bytes::float8 as bytes from registry.app_usage where app = ${app}`.execute(db);
  return rows[0] ?? { versions: 0, bytes: 0 };
}
