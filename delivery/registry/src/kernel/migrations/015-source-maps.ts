import { sql, type Kysely } from 'kysely';

/** What tells where in the sources a fault lies. Empty where a former build, or a former registry, published. */
export async function addSourceMaps(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registry.versions add column source_maps text`.execute(db);
}
