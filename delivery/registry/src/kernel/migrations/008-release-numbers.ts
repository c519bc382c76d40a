import { sql, type Kysely } from 'kysely';

/**
 * Numbers of releases come from a row, and no longer from a sequence: what a sequence has given out stays given out when
 * the transaction is taken back, and a database that is killed goes on up to 32 numbers later.
 */
export async function numberReleasesByRow(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('release_head')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('number', 'integer', (c) => c.notNull())
    .execute();
  // The sequence may be ahead of the releases: after a restore it leaves out numbers that edges may still hold.
  await sql`
    insert into registry.release_head (id, number)
    select 1, greatest(
      coalesce(max(number), 0),
      coalesce(pg_sequence_last_value(pg_get_serial_sequence('registry.releases', 'number')::regclass), 0)
    ) from registry.releases`.execute(db);
  await sql`alter table registry.releases alter column number drop identity`.execute(db);
}
