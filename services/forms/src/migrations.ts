import type { Migration } from '@site/server/open-database';

/** The history of the SQL schema `forms`. Append only. */
export const formsMigrations: Migration[] = [
  {
    name: '001-identities-and-subscriptions',
    up: async (db) => {
      await db.schema
        .createTable('identities')
        .addColumn('unique_id', 'uuid', (column) => column.primaryKey())
        .addColumn('role_name', 'text', (column) => column.notNull())
        .addColumn('role_unique_id', 'uuid', (column) => column.notNull())
        .addColumn('email', 'text', (column) => column.notNull().defaultTo(''))
        .addColumn('name', 'text', (column) => column.notNull().defaultTo(''))
        .addColumn('username', 'text', (column) => column.notNull().defaultTo(''))
        .addColumn('registered_at', 'timestamptz', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('subscriptions')
        .addColumn('id', 'uuid', (column) => column.primaryKey())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('source_id', 'text', (column) => column.notNull())
        .addColumn('form_fields', 'text', (column) => column.notNull())
        .addColumn('visitor_unique_id', 'text', (column) => column.notNull())
        .addColumn('visitor_type', 'text', (column) => column.notNull())
        .addColumn('suspected_spam', 'boolean', (column) => column.notNull())
        .addColumn('idempotency_key', 'text')
        .addColumn('natural_key', 'text')
        .addColumn('content_hash', 'text', (column) => column.notNull())
        .addColumn('created_at', 'timestamptz', (column) => column.notNull())
        .addUniqueConstraint('subscription_once_per_key', ['visitor_unique_id', 'idempotency_key'])
        .addUniqueConstraint('subscription_once_per_content', ['visitor_unique_id', 'natural_key'])
        .execute();
      await db.schema
        .createIndex('subscriptions_by_source')
        .on('subscriptions')
        .columns(['source_id', 'created_at'])
        .execute();
    },
  },
];
