import type { Migration } from '@site/server/open-database';
import { addAuditAndJobs } from './migrations/003-audit-and-jobs.ts';
import { addConfirmationsAndCounts } from './migrations/005-confirmations-and-counts.ts';
import { addDeclaredForms } from './migrations/006-declared-forms.ts';
import { addInbox } from './migrations/009-inbox.ts';
import { endUnconfirmed } from './migrations/010-unconfirmed-end.ts';
import { addBrandAndQuestions } from './migrations/011-brand-and-questions.ts';
import { addKeysAndInvited } from './migrations/004-keys-and-invited.ts';
import { addNewsletterReaders } from './migrations/007-newsletter-readers.ts';
import { addSkipped } from './migrations/008-skipped.ts';

/** The schema history of `forms`. Append only. */
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
  {
    name: '002-captcha-and-invitations',
    up: async (db) => {
      await db.schema
        .alterTable('subscriptions')
        .addColumn('verified_by', 'text', (column) => column.notNull().defaultTo('rate_limit'))
        .execute();
      await db.schema
        .createTable('secrets')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'text', (column) => column.notNull())
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
        .createTable('invitations')
        .addColumn('id', 'uuid', (column) => column.primaryKey())
        .addColumn('subscription_id', 'uuid', (column) =>
          column.notNull().references('subscriptions.id').onDelete('cascade'),
        )
        .addColumn('recipient', 'text', (column) => column.notNull())
        .addColumn('sender', 'text', (column) => column.notNull())
        .addColumn('message', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull().defaultTo('waiting'))
        .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('next_at', 'timestamptz', (column) => column.notNull())
        .addColumn('last_error', 'text')
        .addColumn('created_at', 'timestamptz', (column) => column.notNull())
        .addColumn('finished_at', 'timestamptz')
        .execute();
      await db.schema
        .createIndex('invitations_due')
        .on('invitations')
        .columns(['status', 'next_at'])
        .execute();
      await db.schema
        .createTable('unsubscribed')
        .addColumn('email', 'text', (column) => column.primaryKey())
        .addColumn('created_at', 'timestamptz', (column) => column.notNull())
        .execute();
    },
  },
  { name: '003-audit-and-jobs', up: addAuditAndJobs },
  { name: '004-keys-and-invited', up: addKeysAndInvited },
  { name: '005-confirmations-and-counts', up: addConfirmationsAndCounts },
  { name: '006-declared-forms', up: addDeclaredForms },
  { name: '007-newsletter-readers', up: addNewsletterReaders },
  { name: '008-skipped', up: addSkipped },
  { name: '009-inbox', up: addInbox },
  { name: '010-unconfirmed-end', up: endUnconfirmed },
  { name: '011-brand-and-questions', up: addBrandAndQuestions },
];
