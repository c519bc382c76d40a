import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** What was erased when, which job ran last when, and when each identity was seen last. */
export async function addAuditAndJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('rows', sql`jsonb`, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('jobs')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('ran_at', 'timestamptz', (column) => column.notNull())
    .execute();
  // Identities that are there already count as seen now: nobody knows better.
  await db.schema
    .alterTable('identities')
    .addColumn('last_seen_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await db.schema
    .alterTable('identities')
    .alterColumn('last_seen_at', (column) => column.dropDefault())
    .execute();
  await db.schema.createIndex('identities_by_last_seen').on('identities').column('last_seen_at').execute();
}
