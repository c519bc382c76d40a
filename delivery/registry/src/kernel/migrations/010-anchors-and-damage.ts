import { sql, type Kysely } from 'kysely';

/** Anchored positions of the audit log, and damaged blobs. */
export async function anchorsAndDamage(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_anchored')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('epoch', 'integer', (c) => c.notNull())
    .addColumn('sequence', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('damaged_blobs')
    .addColumn('integrity', 'text', (c) => c.primaryKey())
    .addColumn('found_at', 'timestamptz', (c) => c.notNull())
    .execute();
}
