import { sql } from 'kysely';
import type { Provenance } from '@site/contract/provenance';
import type { AppSet } from './app-set.ts';
import { jsonRows, versionRows } from '../kernel/json-rows.ts';
import type { RegistryDb } from '../kernel/tables.ts';

export async function findVersion(db: RegistryDb, app: string, version: string) {
  return db
    .selectFrom('versions')
    .selectAll()
    .where('app', '=', app)
    .where('version', '=', version)
    .executeTakeFirst();
}

export type VersionPair = readonly [app: string, version: string];

export const findPacks = (db: RegistryDb, wanted: readonly VersionPair[]) => findBlobs(db, 'pack', wanted);

export const findSourceMaps = (db: RegistryDb, wanted: readonly VersionPair[]) =>
  findBlobs(db, 'source_maps', wanted);

async function findBlobs(
  db: RegistryDb,
  column: 'pack' | 'source_maps',
  wanted: readonly VersionPair[],
): Promise<Record<string, string>> {
  if (wanted.length === 0) return {};
  const { rows } = await sql<{ app: string; version: string; blob: string }>`
    select app, version, ${sql.id(column)} as blob
    from ${versionRows(wanted)} join registry.versions using (app, version)
    where ${sql.id(column)} is not null
  `.execute(db);
  return Object.fromEntries(rows.map(({ app, version, blob }) => [versionName(app, version), blob]));
}

export function versionName(app: string, version: string): string {
  return `${app}@${version}`;
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

/** By publishing order; a collected version only if there is no other. */
export async function listApps(db: RegistryDb): Promise<NewestVersion[]> {
  // A loose index scan: skips to the next name without reading the versions in between.
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
      // Excludes the manifest: an app may have thousands of versions.
      'versions.commit',
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

export async function findCollected(db: RegistryDb, apps: AppSet) {
  const pairs = Object.entries(apps);
  if (pairs.length === 0) return [];
  const { rows } = await sql<{ app: string; version: string; at: Date }>`
    select app, version, collected_at as at from ${versionRows(pairs)} join registry.versions using (app, version)
    where collected_at is not null
  `.execute(db);
  return rows;
}

/** Maintained by a trigger. */
export async function listUsage(db: RegistryDb): Promise<{ app: string; versions: number; bytes: number }[]> {
  const { rows } = await sql<{ app: string; versions: number; bytes: number }>`
    select app, versions, bytes::float8 as bytes from registry.app_usage order by app`.execute(db);
  return rows;
}

export async function findUsage(db: RegistryDb, app: string): Promise<{ versions: number; bytes: number }> {
  const { rows } = await sql<{ versions: number; bytes: number }>`
    select versions, bytes::float8 as bytes from registry.app_usage where app = ${app}`.execute(db);
  return rows[0] ?? { versions: 0, bytes: 0 };
}

/** Which of the files are server bundles or source maps of other apps. */
export async function findPrivateBlobs(
  db: RegistryDb,
  app: string,
  integrities: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ integrity: string }>`
    select value as integrity from ${jsonRows(integrities)}
    where exists (select from registry.versions where server = value and app <> ${app})
      or exists (select from registry.versions where source_maps = value and app <> ${app})`.execute(db);
  return new Set(rows.map(({ integrity }) => integrity));
}
