import { sql, type Kysely } from 'kysely';

export async function addPurges(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create table registry.caches (
      channel text not null,
      name text not null,
      failures integer not null default 0,
      problem text,
      next_at timestamptz,
      leased_until timestamptz,
      constraint caches_pk primary key (channel, name)
    )`,
    sql`create table registry.purges (
      channel text not null,
      cache text not null,
      sequence integer generated always as identity not null,
      keys jsonb not null,
      at timestamptz not null,
      sent_at timestamptz,
      confirmed_at timestamptz,
      constraint purges_pk primary key (channel, cache, sequence),
      foreign key (channel, cache) references registry.caches on delete cascade
    )`,
    sql`update registry.alert_hooks set kinds = kinds || '["cache"]'::jsonb where kinds @> '["store"]'::jsonb`,
  ])
    await statement.execute(db);
}
