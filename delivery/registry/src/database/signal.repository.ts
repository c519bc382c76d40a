import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import { advisoryLocks } from '@site/server/advisory-locks';
import { createSecret } from '@site/server/secrets';
import {
  addSums,
  noSums,
  ofAllRoutes,
  placeKey,
  type PlacedSums,
  type SignalPlace,
  type SignalSums,
} from '../domain/signal-sums.ts';
import { inSlices } from './in-slices.ts';
import { rowsOf } from './rows-of.ts';
import { storedRoles, withRole, type Stored } from './signal-tables.ts';
import type { RegistryDb, RegistryTransaction } from './tables.ts';

/** The key that all edges of this registry share. Made on first use. */
export async function signalKey(db: RegistryDb): Promise<string> {
  const find = () => db.selectFrom('signal_key').select('key').executeTakeFirst();
  const found = await find();
  if (found) return found.key;
  await db
    .insertInto('signal_key')
    .values({ id: 1, key: createSecret() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another registry may have been faster.
  return ((await find()) as { key: string }).key;
}

/** A batch of an edge's process. */
export interface Batch {
  edge: string;
  boot: string;
  sequence: number;
}

/**
 * Notes that a batch is counted in this transaction. Whoever sends the same batch at the same time waits until it ends.
 *
 * @returns false when it was counted before.
 */
export async function takeBatch(
  transaction: RegistryTransaction,
  { edge, boot, sequence }: Batch,
  at: Date,
): Promise<boolean> {
  const taken = await transaction
    .insertInto('signal_sources')
    .values({ edge, boot, last_sequence: sequence, heard_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['edge', 'boot'])
        .doUpdateSet({ last_sequence: sequence, heard_at: at })
        .where('signal_sources.last_sequence', '<', sequence),
    )
    .returning('edge')
    .executeTakeFirst();
  return taken !== undefined;
}

/**
 * Counts, or begins to judge, in one transaction: one after the other on a channel, for each adds to what is there. Changes do not
 * wait for it, nor it for them.
 */
export function inTurn<T>(
  db: RegistryDb,
  channel: ChannelName,
  work: (transaction: RegistryTransaction) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLocks.signals)}, hashtext(${channel}))`.execute(
      transaction,
    );
    return work(transaction);
  });
}

/** The time that one pulse covers. Milliseconds. */
export const PULSE_MS = 5 * 60_000;

/** The time that one row covers, and how long the row is kept. Milliseconds. */
const tables = {
  signal_minutes: { span: 60_000, kept: 2 * 24 * 3_600_000, of: asTold },
  signal_hours: { span: 3_600_000, kept: 90 * 24 * 3_600_000, of: asTold },
  signal_pulses: { span: PULSE_MS, kept: 2 * 24 * 3_600_000, of: ofAllRoutes },
} as const;
const tableNames = Object.keys(tables) as (keyof typeof tables)[];

/** Adds to the minute, to the hour and to the pulse. See `inTurn`. */
export async function addSignals(
  transaction: RegistryTransaction,
  channel: ChannelName,
  added: readonly PlacedSums[],
  at: Date,
): Promise<void> {
  if (added.length === 0) return;
  for (const name of tableNames) {
    const table = sql.table(`registry.${name}`);
    const { span, of } = tables[name];
    const told = of(added);
    const places = JSON.stringify(
      told.map(({ app, version, route, role }) => ({ app, version, route, role: storedRoles[role] })),
    );
    const began = new Date(Math.floor(at.getTime() / span) * span);
    const { rows } = await sql<Stored<PlacedSums>>`
      select app, version, route, role, sums from ${table}
      join jsonb_to_recordset(${places}::jsonb) as wanted (app text, version text, route text, role text)
        using (app, version, route, role)
      where channel = ${channel} and at = ${began}`.execute(transaction);
    const before = new Map(rows.map(withRole).map((row) => [placeKey(row), row.sums]));
    const after = told.map((row) => ({
      ...row,
      role: storedRoles[row.role],
      sums: addSums(before.get(placeKey(row)) ?? noSums, row.sums),
    }));
    await sql`
      insert into ${table} (channel, app, version, route, role, at, sums)
      select ${channel}, app, version, route, role, ${began}, sums
      from jsonb_to_recordset(${JSON.stringify(after)}::jsonb)
        as added (app text, version text, route text, role text, sums jsonb)
      on conflict (channel, app, version, route, role, at) do update set sums = excluded.sums`.execute(
      transaction,
    );
  }
}

function asTold(added: readonly PlacedSums[]): readonly PlacedSums[] {
  return added;
}

/** Which sums to read; a field that is left out matches anything. */
export interface SignalsWanted {
  app?: string | undefined;
  versions?: readonly string[] | undefined;
  route?: string | undefined;
  role?: SignalPlace['role'] | undefined;
  from: Date;
  /** Default: now. */
  to?: Date | undefined;
}

/**
 * What is known of a stretch of time, place by place. Minutes where they are kept still, else hours. There may be millions of
 * rows: in memory are those of the places, and a few.
 */
export async function readSignals(
  db: RegistryDb,
  channel: ChannelName,
  { app, versions, route, role, from, to }: SignalsWanted,
  now: Date,
): Promise<PlacedSums[]> {
  const { kept, span } = tables.signal_minutes;
  const isRecent = from.getTime() > now.getTime() - kept + span;
  const rows = db
    .selectFrom(isRecent ? 'signal_minutes' : 'signal_hours')
    .select(['app', 'version', 'route', 'role', 'sums'])
    .where('channel', '=', channel)
    .where('at', '>=', from)
    .$if(to !== undefined, (query) => query.where('at', '<', to ?? now))
    .$if(app !== undefined, (query) => query.where('app', '=', app ?? ''))
    .$if(versions !== undefined, (query) =>
      query.where(sql<boolean>`version in (select value from ${rowsOf(versions ?? [])})`),
    )
    .$if(route !== undefined, (query) => query.where('route', '=', route ?? ''))
    .$if(role !== undefined, (query) => query.where('role', '=', storedRoles[role ?? 'live']));
  const places = new Map<string, PlacedSums>();
  await inSlices(db, rows, (slice) => {
    for (const row of slice.map(withRole)) {
      const before = places.get(placeKey(row))?.sums ?? noSums;
      places.set(placeKey(row), { ...row, sums: addSums(before, row.sums) });
    }
  });
  return [...places.values()];
}

/** Sums of a stretch of time that began then. */
export type TimedSums = PlacedSums & { at: Date };

/** What is known of a stretch of time, without layout shifts. `everyMs`: the time that one row covers. */
export interface Series {
  everyMs: number;
  rows: TimedSums[];
}

/** How something did over time: by pulses where they are kept still, else by hours, which know routes. */
export async function readSeries(
  db: RegistryDb,
  channel: ChannelName,
  { app, versions, from }: Pick<SignalsWanted, 'app' | 'versions' | 'from'>,
  now: Date,
): Promise<Series> {
  const { kept, span } = tables.signal_pulses;
  const name = from.getTime() > now.getTime() - kept + span ? 'signal_pulses' : 'signal_hours';
  const rows = await db
    .selectFrom(name)
    .select(['app', 'version', 'route', 'role', 'at'])
    // Of pulses there is no more.
    .select(
      (name === 'signal_pulses' ? sql<SignalSums>`sums` : sql<SignalSums>`sums - 'cls' - 'interactive'`).as(
        'sums',
      ),
    )
    .where('channel', '=', channel)
    .where('at', '>=', from)
    .$if(app !== undefined, (query) => query.where('app', '=', app ?? ''))
    .$if(versions !== undefined, (query) =>
      query.where(sql<boolean>`version in (select value from ${rowsOf(versions ?? [])})`),
    )
    .orderBy('at')
    .execute();
  return { everyMs: tables[name].span, rows: rows.map(withRole) };
}

/** What an app's version did in the hours from one moment until before another one, for the visitors of a canary or for all others. */
export interface Around extends Pick<SignalPlace, 'app' | 'version' | 'role'> {
  from: Date;
  to: Date;
}

/** The sums of each of these, in their order. */
export async function readAround(
  db: RegistryDb,
  channel: ChannelName,
  wanted: readonly Around[],
): Promise<SignalSums[][]> {
  const found = wanted.map((): SignalSums[] => []);
  if (wanted.length === 0) return found;
  const list = JSON.stringify(wanted.map((one, place) => ({ ...one, role: storedRoles[one.role], place })));
  const { rows } = await sql<{ place: number; sums: SignalSums }>`
    select place, sums
    from jsonb_to_recordset(${list}::jsonb)
      as wanted (place integer, app text, version text, role text, "from" timestamptz, "to" timestamptz)
    cross join lateral (
      select sums - 'cls' - 'interactive' as sums from registry.signal_hours as hours
      where hours.channel = ${channel} and hours.app = wanted.app and hours.version = wanted.version
        and hours.at >= wanted."from" and hours.at < wanted."to" and hours.role = wanted.role
      -- One after the other, by the index. As a join it may read the whole table.
      offset 0
    ) as hours`.execute(db);
  for (const { place, sums } of rows) found[place]?.push(sums);
  return found;
}

/** The hour in which a moment lies: forms are counted by whole hours. */
export function hourOf(at: Date): Date {
  const { span } = tables.signal_hours;
  return new Date(Math.floor(at.getTime() / span) * span);
}

/** Takes out what is too old. */
export async function forgetSignals(db: RegistryDb, now: Date): Promise<void> {
  for (const name of tableNames) {
    await db
      .deleteFrom(name)
      .where('at', '<', new Date(now.getTime() - tables[name].kept))
      .execute();
  }
  const longAgo = new Date(now.getTime() - tables.signal_hours.kept);
  await db.deleteFrom('fault_groups').where('last_at', '<', longAgo).execute();
  await db.deleteFrom('signal_sources').where('heard_at', '<', longAgo).execute();
  await db.deleteFrom('judgements').where('ended_at', '<', longAgo).execute();
  // They quote the faults that are gone now. What the guard did is in the audit log, too, and stays.
  await db.deleteFrom('guard_actions').where('did', '<>', 'acted').where('at', '<', longAgo).execute();
}
