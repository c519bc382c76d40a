import { sql, type Kysely } from 'kysely';

/** Packs of files and pages, and document weights. Empty for data of an older registry. */
export async function addPacksAndWeights(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registry.versions add column pack text`.execute(db);
  await sql`alter table registry.rendered_pages add column pack text, add column weight jsonb`.execute(db);
}
