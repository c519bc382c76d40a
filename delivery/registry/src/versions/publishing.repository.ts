import { sql } from 'kysely';
import type { FileEntry, VersionManifest } from '@site/contract';
import type { Provenance } from '@site/contract/provenance';
import { HOUR_MS } from '@site/server/durations';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';

export interface NewVersion {
  manifest: VersionManifest;
  contentDigest: string;
  pack: string | null;
  sourceMaps: FileEntry | null;
  publishedBy: string;
  publishedAt: Date;
  provenance: Provenance | null;
}

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

/** The publishing date of the newest version protects it from collection. */
const RENEWED_EVERY_MS = HOUR_MS;

/**
 * Republished versions are the newest ones.
 * @returns whether anything changed.
 */
export async function makeNewest(
  { transaction, by, at }: ChangeContext,
  { app, version, provenance }: { app: string; version: string; provenance: Provenance | null },
): Promise<boolean> {
  const newest = await transaction
    .selectFrom('versions')
    .select(['version', 'published_at'])
    .where('app', '=', app)
    .where('collected_at', 'is', null)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  const age = newest?.version === version ? at.getTime() - newest.published_at.getTime() : Infinity;
  if (age < RENEWED_EVERY_MS) return false;
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

export async function insertAssets(
  transaction: RegistryTransaction,
  app: string,
  assets: readonly FileEntry[],
): Promise<string | null> {
  // Same order everywhere: concurrent versions with shared files would deadlock otherwise.
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

/** Republishing without source maps keeps the old ones. */
export async function recordBlobs(
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
