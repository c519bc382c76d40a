import { sql, type Kysely } from 'kysely';

/**
 * Counts submissions that the forms service rejected, besides sent and failed ones, in the same index. Faults name
 * their browsers.
 */
export async function addFormsAndBrowsers(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table registry.signal_hours
      add column forms_refused integer generated always as (coalesce((sums ->> 'formsRefused')::integer, 0)) stored,
      drop constraint signal_hours_pk,
      add constraint signal_hours_pk primary key (channel, app, version, route, role, at)
        include (views, forms_sent, forms_failed, forms_refused)`.execute(db);
  await sql`drop index registry.signal_hours_of_forms`.execute(db);
  await sql`
    create index signal_hours_of_forms on registry.signal_hours (channel, at, app, version, route, role)
    where forms_sent + forms_failed + forms_refused > 0`.execute(db);
  await sql`alter table registry.fault_groups add column browsers jsonb not null default '{}'`.execute(db);
}
