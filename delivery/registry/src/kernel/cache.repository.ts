import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import { jsonRows } from './json-rows.ts';
import type { RegistryDb } from './tables.ts';

/** A cache in front of the edges. */
export interface CacheId {
  channel: ChannelName;
  name: string;
}

export interface CacheState {
  name: string;
  /** Unconfirmed purges. */
  waiting: number;
  problem: string | null;
}

export async function listCaches(db: RegistryDb, channel: ChannelName): Promise<CacheState[]> {
  const { rows } = await sql<CacheState>`
    select name, problem, (
      select count(*) from registry.purges
      where purges.channel = caches.channel and cache = name and confirmed_at is null
    )::integer as waiting
    from registry.caches where channel = ${channel} order by name`.execute(db);
  return rows;
}

/** Replaces the list, in which each registry of a database agrees, and retries failed purges immediately. */
export async function saveCaches(db: RegistryDb, caches: readonly CacheId[]): Promise<void> {
  const rows = JSON.stringify(caches.map(({ channel, name }) => ({ channel, name })));
  const listed = sql`
    select channel, name from jsonb_to_recordset(${rows}::jsonb) as listed (channel text, name text)`;
  await db.transaction().execute(async (transaction) => {
    await sql`delete from registry.caches where (channel, name) not in (${listed})`.execute(transaction);
    await sql`
      insert into registry.caches (channel, name) ${listed}
      on conflict (channel, name) do update set next_at = null`.execute(transaction);
  });
}

export interface FailingCache extends CacheId {
  problem: string;
  since: Date;
}

export async function failingCaches(db: RegistryDb): Promise<FailingCache[]> {
  const { rows } = await sql<FailingCache>`
    select caches.channel, name, problem, min(at) as since
    from registry.caches join registry.purges on purges.channel = caches.channel and cache = name
    where failures > 0 group by caches.channel, name, problem order by caches.channel, name`.execute(db);
  return rows;
}

export interface Purge {
  sequence: number;
  keys: string[];
  at: Date;
  sentAt: Date | null;
  confirmedAt: Date | null;
}

/** Empty while a failed cache waits for its next attempt. */
export async function listPurges(db: RegistryDb, { channel, name }: CacheId, at: Date): Promise<Purge[]> {
  return db
    .selectFrom('purges')
    .innerJoin('caches', (join) =>
      join.onRef('caches.channel', '=', 'purges.channel').onRef('caches.name', '=', 'purges.cache'),
    )
    .select(['sequence', 'keys', 'at', 'sent_at as sentAt', 'confirmed_at as confirmedAt'])
    .where('purges.channel', '=', channel)
    .where('cache', '=', name)
    .where((where) => where.or([where('next_at', 'is', null), where('next_at', '<=', at)]))
    .orderBy('sequence')
    .execute();
}

/** @returns its failures in a row, or null if another registry purges it. */
export async function leaseCache(
  db: RegistryDb,
  { channel, name }: CacheId,
  at: Date,
  until: Date,
): Promise<number | null> {
  const { rows } = await sql<{ failures: number }>`
    update registry.caches set leased_until = ${until}
    where channel = ${channel} and name = ${name}
      -- Longer than any lease: the database's clock went back.
      and (leased_until is null or leased_until <= ${at} or leased_until > ${until})
    returning failures`.execute(db);
  return rows[0]?.failures ?? null;
}

export async function notePurged(
  db: RegistryDb,
  { channel, name }: CacheId,
  { purges, isConfirmed }: { purges: readonly Purge[]; isConfirmed: boolean },
  at: Date,
): Promise<void> {
  const confirmed = isConfirmed ? at : null;
  await db.transaction().execute(async (transaction) => {
    const own = sql`channel = ${channel} and cache = ${name} and sequence in (
      select value::integer from ${jsonRows(purges.map(({ sequence }) => sequence))})`;
    await sql`delete from registry.purges where ${own} and confirmed_at is not null`.execute(transaction);
    await sql`
      update registry.purges set sent_at = ${at}, confirmed_at = ${confirmed} where ${own}`.execute(
      transaction,
    );
    await transaction
      .updateTable('caches')
      .set({ failures: 0, problem: null, next_at: null })
      .where('channel', '=', channel)
      .where('name', '=', name)
      .execute();
  });
}

/** A purge that was queued in the meantime is due immediately. */
export async function notePurgeFailed(
  db: RegistryDb,
  { channel, name }: CacheId,
  {
    purges,
    nextAt,
    ...failure
  }: { failures: number; problem: string; nextAt: Date; purges: readonly Purge[] },
): Promise<void> {
  const last = Math.max(...purges.map(({ sequence }) => sequence));
  await db.transaction().execute(async (transaction) => {
    // A change that queues a purge locks this row first.
    await sql`
      select from registry.caches where channel = ${channel} and name = ${name} for no key update`.execute(
      transaction,
    );
    await sql`
      update registry.caches set failures = ${failure.failures}, problem = ${failure.problem}, next_at = case
        when exists (
          select from registry.purges where channel = ${channel} and cache = ${name} and sequence > ${last}
        ) then null else ${nextAt}::timestamptz end
      where channel = ${channel} and name = ${name}`.execute(transaction);
  });
}

/** @param until of the lease: another registry may have leased it since then. */
export async function releaseCache(db: RegistryDb, { channel, name }: CacheId, until: Date): Promise<void> {
  await db
    .updateTable('caches')
    .set({ leased_until: null })
    .where('channel', '=', channel)
    .where('name', '=', name)
    .where('leased_until', '=', until)
    .execute();
}
