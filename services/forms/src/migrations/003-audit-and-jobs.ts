import { sql, type Kysely } from 'kysely';
import { createAuditAndJobs } from '@site/server/audit-and-jobs';

/** What was erased when, which job ran last when, and when each identity was seen last. */
export async function addAuditAndJobs(db: Kysely<unknown>): Promise<void> {
  await createAuditAndJobs(db);
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
