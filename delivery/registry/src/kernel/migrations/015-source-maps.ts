import { sql, type Kysely } from 'kysely';

/** Source maps that locate faults. Empty for versions of older builds or registries. */
export async function addSourceMaps(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registry.versions add column source_maps text`.execute(db);
}
