import type { Kysely } from 'kysely';

/** Adds the registry's declared forms, retention by submission, and pending notifications. */
export async function addDeclaredForms(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('declared_forms')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('forms', 'text', (column) => column.notNull())
    .addColumn('asked_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.alterTable('subscriptions').addColumn('remove_at', 'timestamptz').execute();
  await db.schema
    .createIndex('subscriptions_by_form')
    .on('subscriptions')
    .columns(['source_id', 'created_at', 'id'])
    .execute();
  await db.schema
    .createTable('notices')
    .addColumn('source_id', 'text', (column) => column.primaryKey())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('waiting', 'integer', (column) => column.notNull())
    .addColumn('next_at', 'timestamptz', (column) => column.notNull())
    .execute();
}
