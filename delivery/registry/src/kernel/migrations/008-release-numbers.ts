import { sql, type Kysely } from 'kysely';

/**
 * A row numbers the releases instead of a sequence. A sequence is not rolled back with a transaction, and skips up to
 * 32 numbers after a database crash.
 */
export async function numberReleasesByRow(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('release_head')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('number', 'integer', (c) => c.notNull())
    .execute();
  // The sequence may be ahead of the releases: a restore skips numbers that edges may know.
  await sql`
    insert into registry.release_head (id, number)
    select 1, greatest(
      coalesce(max(number), 0),
      coalesce(pg_sequence_last_value(pg_get_serial_sequence('registry.releases', 'number')::regclass), 0)
    ) from registry.releases`.execute(db);
  await sql`alter table registry.releases alter column number drop identity`.execute(db);
}
