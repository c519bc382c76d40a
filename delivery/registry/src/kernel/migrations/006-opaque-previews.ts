import { sql, type Kysely } from 'kysely';

/**
 * A preview link holds a random id, of which the hash is kept. Former links were signed: they end here, and their keys
 * go.
 */
export async function opaquePreviews(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('signing_keys').execute();
  await sql`delete from registry.previews`.execute(db);
  await db.schema.alterTable('previews').renameColumn('revoked_at', 'ended_at').execute();
  await db.schema
    .alterTable('previews')
    .addColumn('ended_because', 'text')
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    .execute();
}
