import type { Kysely } from 'kysely';

/**
 * Adds subscribers with time and text of their consent. Existing addresses stay unconfirmed, because their
 * owners were never asked.
 */
export async function addNewsletterReaders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('readers')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('subscription_id', 'uuid', (column) =>
      column.notNull().references('subscriptions.id').onDelete('cascade'),
    )
    .addColumn('mailbox', 'text', (column) => column.notNull().unique())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('confirmed_at', 'timestamptz', (column) => column.notNull())
    .addColumn('wording', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('readers_by_subscription').on('readers').column('subscription_id').execute();
  await db.schema.createIndex('readers_by_moment').on('readers').columns(['confirmed_at', 'id']).execute();
}
