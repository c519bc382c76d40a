import type { Kysely } from 'kysely';

/** The last submission of each form that an alert covered. */
export async function addInboxTold(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('inbox_told')
    .addColumn('form', 'text', (column) => column.primaryKey())
    .addColumn('newest_at', 'timestamptz', (column) => column.notNull())
    .addColumn('told_at', 'timestamptz', (column) => column.notNull())
    .execute();
}
