import { sql, type Kysely } from 'kysely';

/** Also true in a standby. Unlike `transaction_read_only` it does not depend on the current transaction. */
const READ_ONLY = "(current_setting('default_transaction_read_only') = 'on' or pg_is_in_recovery())";

/** Fails in a read-only database with the same code as a change. */
export const REQUIRE_WRITABLE = `do $$ begin if ${READ_ONLY} then
  raise read_only_sql_transaction using message = 'The database is read-only.'; end if; end $$`;

export async function isReadOnly<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select ${sql.raw(READ_ONLY)} as found`.execute(db);
  return rows[0]?.found === true;
}

export function isReadOnlyError(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === '25006';
}
