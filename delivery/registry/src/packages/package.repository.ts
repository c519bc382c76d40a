import type { PackageManifest } from './read-tarball.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import type { RegistryDb } from '../kernel/tables.ts';

export interface StoredPackage {
  version: string;
  manifest: PackageManifest;
  integrity: string;
  at: Date;
}

export function listPackageVersions(db: RegistryDb, name: string): Promise<StoredPackage[]> {
  return db
    .selectFrom('packages')
    .select(['version', 'manifest', 'integrity', 'at'])
    .where('name', '=', name)
    .execute();
}

export async function findTarball(db: RegistryDb, name: string, version: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('packages')
    .select('tarball')
    .where('name', '=', name)
    .where('version', '=', version)
    .executeTakeFirst();
  return row ? Buffer.from(row.tarball) : null;
}

export async function insertPackage(
  { transaction, by, at }: ChangeContext,
  { manifest, tarball, integrity }: { manifest: PackageManifest; tarball: Buffer; integrity: string },
): Promise<boolean> {
  const { name, version } = manifest;
  const inserted = await transaction
    .insertInto('packages')
    .values({ name, version, manifest: JSON.stringify(manifest), tarball, integrity, published_by: by, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('version')
    .executeTakeFirst();
  return inserted !== undefined;
}
