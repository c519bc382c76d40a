import { sql, type Kysely } from 'kysely';

export async function addPackages(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table registry.packages (
      name text not null,
      version text not null,
      manifest jsonb not null,
      tarball bytea not null,
      integrity text not null,
      published_by text not null,
      at timestamptz not null,
      constraint packages_pk primary key (name, version)
    )`,
    // Tarballs are compressed already.
    sql`alter table registry.packages alter column tarball set storage external`,
    sql`create trigger append_only before update or delete or truncate on registry.packages
      for each statement execute function registry.refuse_rewriting()`,
  ])
    await statement.execute(db);
}
