import { sql, type Kysely } from 'kysely';

/** Form counts per hour, separate from the sums, so that queries over weeks use only the index. */
export async function addCountsOfHours(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table registry.signal_hours
      add column views integer generated always as ((sums #>> '{first,views}')::integer) stored,
      add column forms_sent integer generated always as ((sums ->> 'formsSent')::integer) stored,
      add column forms_failed integer generated always as ((sums ->> 'formsFailed')::integer) stored,
      drop constraint signal_hours_pk,
      add constraint signal_hours_pk primary key (channel, app, version, route, role, at)
        include (views, forms_sent, forms_failed)`.execute(db);
  await sql`drop index registry.signal_hours_of_forms`.execute(db);
  await sql`
    create index signal_hours_of_forms on registry.signal_hours (channel, at, app, version, route, role)
    where forms_sent + forms_failed > 0`.execute(db);
}
