import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../open-database.ts';

/**
 * Makes a database of the run's PostgreSQL read-only, as after a failover: all connections are closed once, and those
 * opened since then stay read-only when the returned function has made the database writable.
 */
export async function makeReadOnly(database: Database): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
    database.schema<never>('public'),
  );
  const name = rows[0]?.name ?? '';
  const url = new URL(process.env['TEST_POSTGRES'] ?? '');
  url.pathname = name;
  url.searchParams.set('options', '-c default_transaction_read_only=off');
  const admin = new pg.Client(url.href);
  await admin.connect();
  await admin.query(`alter database ${name} set default_transaction_read_only = on`);
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  return async () => {
    await admin.query(`alter database ${name} reset default_transaction_read_only`);
    await admin.end();
  };
}
