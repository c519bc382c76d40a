import { sql, type Kysely } from 'kysely';

/** Packs of files and pages, and what documents weigh. Empty where a former registry published or rendered. */
export async function addPacksAndWeights(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registry.versions add column pack text`.execute(db);
  await sql`alter table registry.rendered_pages add column pack text, add column weight jsonb`.execute(db);
}
