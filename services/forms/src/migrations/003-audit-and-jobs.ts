import { sql, type Kysely } from 'kysely';
import { createAuditAndJobs } from '@site/server/audit-and-jobs';

/** Audit entries, job times, and the last visit of each identity. */
export async function addAuditAndJobs(db: Kysely<unknown>): Promise<void> {
  await createAuditAndJobs(db);
  // For existing identities the real time is unknown; use now.
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
