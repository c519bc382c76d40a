import { sql, type Kysely } from 'kysely';

export async function addCanaries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table registry.canaries (
      release integer primary key references registry.releases,
      channel text not null references registry.channels,
      app text not null,
      basis_points integer not null check (basis_points between 1 and 9999),
      ended_at timestamptz
    )`.execute(db);
  await sql`create unique index canaries_running on registry.canaries (channel, app) where ended_at is null`.execute(
    db,
  );
  // A running canary of several apps ends.
  await sql`
    insert into registry.canaries (release, channel, app, basis_points)
    select canary_first, name, coalesce(min(app_changes.app), 'config'), canary_basis_points
    from registry.channels left join registry.app_changes on app_changes.release = canary_first
    where canary is not null and canary_basis_points > 0 and canary_basis_points < 10000
    group by canary_first, name, canary_basis_points having count(app_changes.app) < 2`.execute(db);
  await sql`
    alter table registry.channels
      drop column canary, drop column canary_basis_points, drop column canary_first`.execute(db);
  await sql`
    alter table registry.edges
      drop column canary, drop column canary_basis_points, drop column canary_digest,
      add column canaries jsonb not null default '[]'`.execute(db);
  await sql`
    alter table registry.canary_stages drop constraint canary_stages_pkey, add primary key (canary)`.execute(
    db,
  );
}
