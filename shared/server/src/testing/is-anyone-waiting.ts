import { sql, type QueryExecutorProvider } from 'kysely';

/** Whether a connection to this PostgreSQL database waits for a lock. */
export async function isAnyoneWaiting(db: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`.execute(
    db,
  );
  return rows.length > 0;
}
