import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import type { ChannelName } from '@site/contract';
import { addSums, noSums, placeKey, type PlacedSums, type SignalPlace } from '../domain/signal-sums.ts';
import { rowsOf } from './rows-of.ts';
import type { RegistryDb, RegistryTransaction } from './tables.ts';

/** The key that all edges of this registry share. Made when it is asked for first. */
export async function signalKey(db: RegistryDb): Promise<string> {
  const find = () => db.selectFrom('signal_key').select('key').executeTakeFirst();
  const found = await find();
  if (found) return found.key;
  await db
    .insertInto('signal_key')
    .values({ id: 1, key: randomBytes(32).toString('base64url') })
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
 * Notes that a batch is counted in this transaction. Whoever sends the same one meanwhile waits for the end of it.
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
    await sql`select pg_advisory_xact_lock(5174603, hashtext(${channel}))`.execute(transaction);
    return work(transaction);
  });
}

/** How long what is told of a row is, and for how long the row is kept. Milliseconds. */
const tables = {
  signal_minutes: { span: 60_000, kept: 2 * 24 * 3_600_000 },
  signal_hours: { span: 3_600_000, kept: 90 * 24 * 3_600_000 },
} as const;
const tableNames = Object.keys(tables) as (keyof typeof tables)[];

/** Adds to the minute and to the hour. See `inTurn`. */
export async function addSignals(
  transaction: RegistryTransaction,
  channel: ChannelName,
  added: readonly PlacedSums[],
  at: Date,
): Promise<void> {
  if (added.length === 0) return;
  const places = JSON.stringify(
    added.map(({ app, version, route, role }) => ({ app, version, route, role })),
  );
  for (const name of tableNames) {
    const table = sql.table(`registry.${name}`);
    const { span } = tables[name];
    const began = new Date(Math.floor(at.getTime() / span) * span);
    const { rows } = await sql<PlacedSums>`
      select app, version, route, role, sums from ${table}
      join jsonb_to_recordset(${places}::jsonb) as wanted (app text, version text, route text, role text)
        using (app, version, route, role)
      where channel = ${channel} and at = ${began}`.execute(transaction);
    const before = new Map(rows.map((row) => [placeKey(row), row.sums]));
    const after = added.map((row) => ({
      ...row,
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

/** Which sums are asked for; what is left out may be anything. */
export interface SignalsWanted {
  app?: string | undefined;
  versions?: readonly string[] | undefined;
  route?: string | undefined;
  role?: SignalPlace['role'] | undefined;
  from: Date;
  /** Default: now. */
  to?: Date | undefined;
}

/** What is known of a stretch of time, place by place. Minutes where they are kept still, else hours. */
export async function readSignals(
  db: RegistryDb,
  channel: ChannelName,
  { app, versions, route, role, from, to }: SignalsWanted,
  now: Date,
): Promise<PlacedSums[]> {
  const { kept, span } = tables.signal_minutes;
  const isRecent = from.getTime() > now.getTime() - kept + span;
  const rows = await db
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
    .$if(role !== undefined, (query) => query.where('role', '=', role ?? 'stable'))
    .execute();
  const places = new Map<string, PlacedSums>();
  for (const row of rows) {
    const before = places.get(placeKey(row))?.sums ?? noSums;
    places.set(placeKey(row), { ...row, sums: addSums(before, row.sums) });
  }
  return [...places.values()];
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
}
