import { createAuditAndJobs } from '@site/server/audit-and-jobs';
import type { Migration } from '@site/server/open-database';
import { sql } from 'kysely';

export const gatewayMigrations: Migration[] = [
  {
    name: '001-gateway',
    up: async (db) => {
      await createAuditAndJobs(db);
      await db.schema
        .createTable('guests')
        .addColumn('unique_id', 'uuid', (column) => column.primaryKey())
        .addColumn('user_unique_id', 'uuid', (column) => column.notNull())
        .addColumn('email', 'text', (column) => column.notNull().defaultTo(''))
        .addColumn('name', 'text', (column) => column.notNull().defaultTo(''))
        .addColumn('username', 'text', (column) => column.notNull().defaultTo(''))
        .addColumn('status', 'text', (column) => column.notNull().defaultTo('active'))
        .addColumn('current_visiting_at', 'timestamptz', (column) => column.notNull())
        .addColumn('current_visiting_ip', 'text', (column) => column.notNull())
        .addColumn('last_visiting_at', 'timestamptz')
        .addColumn('last_visiting_ip', 'text')
        .addColumn('registered_at', 'timestamptz', (column) => column.notNull())
        .addColumn('creation_key_hash', 'text')
        .execute();
      await db.schema.createIndex('guests_by_visit').on('guests').column('current_visiting_at').execute();
      await db.schema
        .createTable('signing_keys')
        .addColumn('kid', 'text', (column) => column.primaryKey())
        .addColumn('private_jwk', sql`jsonb`, (column) => column.notNull())
        .addColumn('created_at', 'timestamptz', (column) => column.notNull())
        .addColumn('active_from', 'timestamptz', (column) => column.notNull())
        .execute();
    },
  },
];
