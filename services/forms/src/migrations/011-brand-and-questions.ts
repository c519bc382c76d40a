import type { Kysely } from 'kysely';

/** The brand that the registry said last, and which reader the links of a question about the newsletter unsubscribe. */
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
