import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import { advisoryLocks } from '@site/server/advisory-locks';
import { HOUR_MS } from '@site/server/durations';
import { silentSince } from '../kernel/silent-since.ts';
import { createSecret } from '@site/server/secrets';
import { forgetExperiments } from './experiment.repository.ts';
import { addSums, noSums, ofAllRoutes, placeKey, type PlacedSums, signalSpans } from './signal-sums.ts';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';

const tableNames = Object.keys(signalSpans) as (keyof typeof signalSpans)[];

/** The key shared by all edges of this registry. Created on first use. */
export async function signalKey(db: RegistryDb): Promise<string> {
  const find = () => db.selectFrom('signal_key').select('key').executeTakeFirst();
  const found = await find();
  if (found) return found.key;
  await db
    .insertInto('signal_key')
    .values({ id: 1, key: createSecret() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another registry may have created it.
  return ((await find()) as { key: string }).key;
}

export interface Batch {
  edge: string;
  boot: string;
  sequence: number;
}

export async function takeBatch(
  transaction: RegistryTransaction,
  { edge, boot, sequence }: Batch,
  at: Date,
): Promise<boolean> {
  const taken = await transaction
    .insertInto('signal_sources')
    .values({ edge, boot, last_sequence: sequence, received_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['edge', 'boot'])
        .doUpdateSet({ last_sequence: sequence, received_at: at })
        .where('signal_sources.last_sequence', '<', sequence),
    )
    .returning('edge')
    .executeTakeFirst();
  return taken !== undefined;
}

const VISITED_MS = HOUR_MS;

/** The edges that are in service and reported visitors in the last hour. */
export async function listVisitedEdges(
  transaction: RegistryTransaction,
  channel: ChannelName,
  at: Date,
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('signal_sources')
    .innerJoin('edges', 'edges.id', 'signal_sources.edge')
    .select('edge')
    .distinct()
    .where('edges.channel', '=', channel)
    .where('edges.seen_at', '>', silentSince(at))
    .where('signal_sources.received_at', '>=', new Date(at.getTime() - VISITED_MS))
    .execute();
  return rows.map(({ edge }) => edge);
}

/**
 * Serializes counting and judging on a channel, in one transaction, because each updates existing sums. Changes neither
 * wait for it nor block it.
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

export async function addSignals(
  transaction: RegistryTransaction,
  channel: ChannelName,
  added: readonly PlacedSums[],
  at: Date,
): Promise<void> {
  if (added.length === 0) return;
  for (const name of tableNames) {
    const table = sql.table(`registry.${name}`);
    const { span } = signalSpans[name];
    const told = name === 'signal_pulses' ? ofAllRoutes(added) : added;
    const places = JSON.stringify(
      told.map(({ app, version, route, role }) => ({ app, version, route, role })),
    );
    const began = new Date(Math.floor(at.getTime() / span) * span);
    const { rows } = await sql<PlacedSums>`
      select app, version, route, role, sums from ${table}
      join jsonb_to_recordset(${places}::jsonb) as wanted (app text, version text, route text, role text)
        using (app, version, route, role)
      where channel = ${channel} and at = ${began}`.execute(transaction);
    const before = new Map(rows.map((row) => [placeKey(row), row.sums]));
    const after = told.map((row) => ({
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

export async function forgetSignals(db: RegistryDb, now: Date): Promise<void> {
  for (const name of tableNames) {
    await db
      .deleteFrom(name)
      .where('at', '<', new Date(now.getTime() - signalSpans[name].kept))
      .execute();
  }
  const longAgo = new Date(now.getTime() - signalSpans.signal_hours.kept);
  await forgetExperiments(db, longAgo);
  await db.deleteFrom('fault_groups').where('last_at', '<', longAgo).execute();
  await db.deleteFrom('signal_sources').where('received_at', '<', longAgo).execute();
  await db.deleteFrom('judgements').where('ended_at', '<', longAgo).execute();
  // They quote deleted faults. The guard's actions remain in the audit log.
  await db.deleteFrom('guard_actions').where('did', '<>', 'acted').where('at', '<', longAgo).execute();
}
