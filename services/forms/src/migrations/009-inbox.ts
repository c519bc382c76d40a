import { sql, type Kysely } from 'kysely';

/** Adds the state of submissions and the access log. */
export async function addInbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('subscriptions')
    .addColumn('handled', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('marked_at', 'timestamptz')
    .addColumn('marked_by', 'text')
    .execute();
  // Keeps new submissions fast to find among many handled ones.
  await db.schema
    .createIndex('subscriptions_to_handle')
    .on('subscriptions')
    .columns(['source_id', 'created_at', 'id'])
    .where(sql<boolean>`not handled and not suspected_spam`)
    .execute();
  await db.schema
    .createTable('looks')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('form', 'text', (column) => column.notNull())
    .addColumn('submission', 'uuid')
    .addColumn('count', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('looks_by_time').on('looks').column('at').execute();
}
