import { type RawBuilder, sql } from 'kysely';
import type { SentForms, VersionManifest } from '@site/contract';
import { inPortions } from '../kernel/lists.ts';
import { createManifestCache, type VersionRow } from './manifest-cache.ts';
import { versionRows } from '../kernel/json-rows.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { versionName, type VersionPair } from './version.repository.ts';

/** Every change reads the manifests of all live versions, so they are cached. */
const cachedManifests = createManifestCache();

const wholeManifest = sql<VersionManifest>`manifest`;

interface ReadOptions {
  /** Only the files in a release's table: scripts and the entry. */
  filesOfTable?: boolean;
}

/** Unknown versions are omitted. */
export async function* readManifests(
  db: RegistryDb,
  wanted: Iterable<VersionPair>,
  { filesOfTable = false }: ReadOptions = {},
): AsyncGenerator<VersionManifest> {
  const part = filesOfTable
    ? sql<VersionManifest>`manifest || jsonb_build_object('assets',
        jsonb_path_query_array(manifest, '$.assets[*] ? (@.path like_regex "[.]js$" || @.path == $.entry)'))`
    : wholeManifest;
  for await (const { part: manifest } of readParts(db, wanted, part)) yield manifest;
}

interface PartOfVersion<Part> {
  app: string;
  version: string;
  part: Part;
}

async function* readParts<Part>(
  db: RegistryDb,
  wanted: Iterable<VersionPair>,
  part: RawBuilder<Part>,
  /** Omits collected versions. */
  withFiles = false,
): AsyncGenerator<PartOfVersion<Part>> {
  yield* readPortions(db, await rowsOfVersions(db, wanted, withFiles), part);
}

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

export async function findManifests(
  db: RegistryDb,
  wanted: Iterable<VersionPair>,
): Promise<ReadonlyMap<string, VersionManifest>> {
  const found = new Map<string, VersionManifest>();
  const missed: VersionRow[] = [];
  for (const row of await rowsOfVersions(db, wanted)) {
    const kept = cachedManifests.get(row);
    if (kept) found.set(versionName(row.app, row.version), kept);
    else missed.push(row);
  }
  const rows = new Map(missed.map((row) => [versionName(row.app, row.version), row]));
  for await (const { app, version, part } of readPortions(db, missed, wholeManifest)) {
    const name = versionName(app, version);
    found.set(name, part);
    const row = rows.get(name);
    if (row) cachedManifests.add(row, part);
  }
  return found;
}

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

/** PostgreSQL extracts them, because parsing whole manifests blocks the event loop. */
export async function* readIntegrities(
  db: RegistryDb,
  wanted: Iterable<VersionPair>,
): AsyncGenerator<readonly string[]> {
  const integrities = sql<string[]>`jsonb_path_query_array(manifest, '$.assets[*].integrity')
    || jsonb_path_query_array(manifest, '$.server.integrity')`;
  for await (const { part } of readParts(db, wanted, integrities, true)) yield part;
}

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
