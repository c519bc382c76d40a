import { sql, type Kysely } from 'kysely';

/**
 * App owners, reserved paths, and retired apps. Published apps are registered with the paths they serve. If two apps
 * claim a path, the live one gets it.
 */
export async function addOwnedApps(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('apps')
    .addColumn('app', 'text', (c) => c.primaryKey())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('paths', 'jsonb', (c) => c.notNull())
    .addColumn('by', 'text', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .execute();
  await db.schema
    .alterTable('releases')
    .addColumn('retired', 'jsonb', (c) => c.notNull().defaultTo(sql`'{}'::jsonb`))
    .execute();
  await sql`
    with newest as (
      select distinct on (app) app, manifest, published_by, published_at
      from registry.versions order by app, sequence desc
    ),
    shown as (
      select members.app, versions.manifest,
        case when channels.name = 'production' then 1 else 3 end
          + case when members.release = channels.stable then 0 else 1 end as rank
      from registry.channels
      join registry.release_apps as members on members.release in (channels.stable, channels.candidate)
      join registry.versions using (app, version)
      union all
      select left_out.app, versions.manifest, 5
      from registry.channels
      join registry.releases on releases.number = channels.stable
      cross join lateral jsonb_each_text(releases.absent) as left_out (app, version)
      join registry.versions on versions.app = left_out.app and versions.version = left_out.version
      union all
      select app, manifest, 6 from newest
    ),
    claims as (
      select app, rank, page ->> 'path' as path
      from shown, jsonb_array_elements(coalesce(manifest -> 'pages', '[]')) as page
      union all
      select app, rank, redirect ->> 'from'
      from shown, jsonb_array_elements(coalesce(manifest -> 'redirects', '[]')) as redirect
    ),
    owned as (select distinct on (path) path, app from claims order by path, rank, app)
    insert into registry.apps (app, owner, paths, by, at)
    select newest.app, newest.manifest ->> 'owner',
      coalesce((select jsonb_agg(path order by path) from owned where owned.app = newest.app), '[]'),
      newest.published_by, newest.published_at
    from newest`.execute(db);
}
