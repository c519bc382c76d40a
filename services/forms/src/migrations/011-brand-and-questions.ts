import type { Kysely } from 'kysely';

/** Adds the registry's brand, and the subscriber whom the links of a newsletter confirmation unsubscribe. */
export async function addBrandAndQuestions(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('declared_forms').addColumn('brand', 'text').execute();
  await db.schema.alterTable('invitations').addColumn('reader_id', 'uuid').execute();
  await db.schema
    .createIndex('invitations_by_reader')
    .on('invitations')
    .column('reader_id')
    .where('reader_id', 'is not', null)
    .execute();
}
