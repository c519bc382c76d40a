import { sql, type Kysely } from 'kysely';

/** Usage per app, precomputed because every publish checks the quota. */
export async function addAppUsage(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('app_usage')
    .addColumn('app', 'text', (c) => c.primaryKey())
    .addColumn('versions', 'integer', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .alterTable('versions')
    .addColumn('bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`
    update registry.versions set bytes = (manifest->'server'->>'size')::bigint + coalesce(
      (select sum((asset->>'size')::bigint) from jsonb_array_elements(manifest->'assets') as asset), 0)`.execute(
    db,
  );
  await sql`
    insert into registry.app_usage (app, versions, bytes)
    select app, count(*), sum(bytes) from registry.versions where collected_at is null group by app`.execute(
    db,
  );
  // The sum follows every insert, collection and restore of a version.
  await sql`
    create function registry.count_usage() returns trigger language plpgsql as $$
    declare
      before integer := case when tg_op = 'UPDATE' and old.collected_at is null then 1 else 0 end;
      after integer := case when new.collected_at is null then 1 else 0 end;
    begin
      if before <> after then
        insert into registry.app_usage (app, versions, bytes)
        values (new.app, after - before, (after - before) * new.bytes)
        on conflict (app) do update set
          versions = app_usage.versions + excluded.versions, bytes = app_usage.bytes + excluded.bytes;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger count_usage after insert or update of collected_at on registry.versions
    for each row execute function registry.count_usage()`.execute(db);
}
