import { sql, type Kysely } from 'kysely';

/**
 * Counts app usage once per statement. A trigger per row made a collection of 2,500 versions block all changes while it
 * updated the same rows of `app_usage` repeatedly.
 */
export async function countUsageByStatement(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger count_usage on registry.versions`.execute(db);
  await sql`drop function registry.count_usage()`.execute(db);
  await sql`
    create function registry.count_usage() returns trigger language plpgsql as $$
    begin
      insert into registry.app_usage (app, versions, bytes)
      select app, count(*), sum(bytes) from new_rows where collected_at is null group by app
      on conflict (app) do update set
        versions = app_usage.versions + excluded.versions, bytes = app_usage.bytes + excluded.bytes;
      return null;
    end $$`.execute(db);
  await sql`
    create function registry.count_changed_usage() returns trigger language plpgsql as $$
    begin
      insert into registry.app_usage (app, versions, bytes)
      select app, sum(counted.versions), sum(counted.bytes) from (
        select app, -1 as versions, -bytes as bytes from old_rows where collected_at is null
        union all
        select app, 1, bytes from new_rows where collected_at is null
      ) as counted
      group by app having sum(counted.versions) <> 0 or sum(counted.bytes) <> 0
      on conflict (app) do update set
        versions = app_usage.versions + excluded.versions, bytes = app_usage.bytes + excluded.bytes;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger count_usage after insert on registry.versions
    referencing new table as new_rows
    for each statement execute function registry.count_usage()`.execute(db);
  await sql`
    create trigger count_changed_usage after update on registry.versions
    referencing old table as old_rows new table as new_rows
    for each statement execute function registry.count_changed_usage()`.execute(db);
}
