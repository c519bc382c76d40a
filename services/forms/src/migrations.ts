import { createAuditAndJobs } from '@site/server/audit-and-jobs';
import type { Migration } from '@site/server/open-database';
import { sql, type Kysely } from 'kysely';
import { mailboxSql } from './kernel/mailbox.ts';

export const formsMigrations: Migration[] = [{ name: '001-forms', up: createForms }];

async function createForms(db: Kysely<unknown>): Promise<void> {
  await createAuditAndJobs(db);
  await createSubmissionTables(db);
  await createEmailTables(db);
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('counters')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('ends_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('counters_by_end').on('counters').column('ends_at').execute();
  await db.schema
    .createTable('access_log')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('form', 'text', (column) => column.notNull())
    .addColumn('submission', 'uuid')
    .addColumn('count', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('access_log_by_time').on('access_log').column('at').execute();
}

async function createSubmissionTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('identities')
    .addColumn('unique_id', 'uuid', (column) => column.primaryKey())
    .addColumn('role_name', 'text', (column) => column.notNull())
    .addColumn('role_unique_id', 'uuid', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('name', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('username', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('registered_at', 'timestamptz', (column) => column.notNull())
    .addColumn('last_seen_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('identities_by_last_seen').on('identities').column('last_seen_at').execute();

  await db.schema
    .createTable('subscriptions')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('source_id', 'text', (column) => column.notNull())
    .addColumn('form_fields', 'text', (column) => column.notNull())
    .addColumn('visitor_unique_id', 'text', (column) => column.notNull())
    .addColumn('visitor_type', 'text', (column) => column.notNull())
    .addColumn('suspected_spam', 'boolean', (column) => column.notNull())
    .addColumn('verified_by', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text', (column) => column.unique())
    .addColumn('natural_key', 'text')
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('confirmed_at', 'timestamptz')
    .addColumn('skipped', 'text')
    .addColumn('remove_at', 'timestamptz')
    .addColumn('handled', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('marked_at', 'timestamptz')
    .addColumn('marked_by', 'text')
    .addUniqueConstraint('subscription_once_per_content', ['visitor_unique_id', 'natural_key'])
    .execute();
  await db.schema
    .createIndex('subscriptions_by_form')
    .on('subscriptions')
    .columns(['source_id', 'created_at', 'id'])
    .execute();
  // Keeps new submissions fast to find among many handled ones.
  await db.schema
    .createIndex('subscriptions_to_handle')
    .on('subscriptions')
    .columns(['source_id', 'created_at', 'id'])
    .where(sql<boolean>`not handled and not suspected_spam`)
    .execute();
  await db.schema
    .createIndex('subscriptions_suspected')
    .on('subscriptions')
    .columns(['created_at', 'id'])
    .where(sql.ref('suspected_spam'), '=', true)
    .execute();
  await db.schema
    .createIndex('subscriptions_by_mailbox')
    .on('subscriptions')
    .column(sql`${mailboxSql('email')}`)
    .execute();

  await db.schema
    .createTable('spent_challenges')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('spent_challenges_by_expiry')
    .on('spent_challenges')
    .column('expires_at')
    .execute();
  await db.schema
    .createTable('declared_forms')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('forms', 'text', (column) => column.notNull())
    .addColumn('brand', 'text')
    .addColumn('fetched_at', 'timestamptz', (column) => column.notNull())
    .execute();
}

async function createEmailTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('emails')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('subscription_id', 'uuid', (column) =>
      column.notNull().references('subscriptions.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('invitation'))
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('mailbox', 'text', (column) => column.notNull())
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull().defaultTo('waiting'))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_at', 'timestamptz', (column) => column.notNull())
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('finished_at', 'timestamptz')
    .addColumn('valid_until', 'timestamptz')
    .addColumn('subscriber_id', 'uuid')
    .execute();
  await db.schema.createIndex('emails_due').on('emails').columns(['status', 'next_at']).execute();
  await db.schema.createIndex('emails_by_subscription').on('emails').column('subscription_id').execute();
  await db.schema
    .createIndex('emails_by_subscriber')
    .on('emails')
    .column('subscriber_id')
    .where('subscriber_id', 'is not', null)
    .execute();

  await db.schema
    .createTable('invited')
    .addColumn('invitation_id', 'uuid', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('invited_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('invited_by_email').on('invited').columns(['email', 'invited_at']).execute();
  await db.schema
    .createTable('unsubscribed')
    .addColumn('email', 'text', (column) => column.primaryKey())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('notices')
    .addColumn('source_id', 'text', (column) => column.primaryKey())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('waiting', 'integer', (column) => column.notNull())
    .addColumn('next_at', 'timestamptz', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('subscribers')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('subscription_id', 'uuid', (column) =>
      column.notNull().references('subscriptions.id').onDelete('cascade'),
    )
    .addColumn('mailbox', 'text', (column) => column.notNull().unique())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('confirmed_at', 'timestamptz', (column) => column.notNull())
    .addColumn('wording', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('subscribers_by_subscription')
    .on('subscribers')
    .column('subscription_id')
    .execute();
  await db.schema
    .createIndex('subscribers_by_time')
    .on('subscribers')
    .columns(['confirmed_at', 'id'])
    .execute();
}
