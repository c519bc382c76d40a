import { sql, type Kysely } from 'kysely';

export async function createAuditAndJobs(db: Kysely<unknown>): Promise<void> {
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
}
