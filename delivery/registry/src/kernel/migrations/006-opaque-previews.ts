import { sql, type Kysely } from 'kysely';

/**
 * A preview link contains a random id; only its hash is stored. Existing signed links end here, and their keys are
 * dropped.
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
