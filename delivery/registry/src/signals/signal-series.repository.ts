import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { BrowserEngine } from '@site/contract/signals/fault';
import {
  addSums,
  noSums,
  placeKey,
  type ByEngine,
  type PlacedSums,
  type SignalPlace,
  type SignalSums,
  signalSpans,
} from './signal-sums.ts';
import { inSlices } from '../kernel/in-slices.ts';
import { jsonRows } from '../kernel/json-rows.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { versionName, type VersionPair } from '../versions/index.ts';

export interface SignalsWanted {
  app?: string | undefined;
  versions?: readonly string[] | undefined;
  route?: string | undefined;
  role?: SignalPlace['role'] | undefined;
  from: Date;
  to?: Date | undefined;
}

/**
 * From minutes if retained, else from hours. Up to millions of rows: only the sums per place and a few are in memory.
 */
export async function readSignals(
  db: RegistryDb,
  channel: ChannelName,
  { app, versions, route, role, from, to }: SignalsWanted,
  now: Date,
): Promise<PlacedSums[]> {
  const { kept, span } = signalSpans.signal_minutes;
  const isRecent = from.getTime() > now.getTime() - kept + span;
  const rows = db
    .selectFrom(isRecent ? 'signal_minutes' : 'signal_hours')
    .select(['app', 'version', 'route', 'role', 'sums'])
    .where('channel', '=', channel)
    .where('at', '>=', from)
    .$if(to !== undefined, (query) => query.where('at', '<', to ?? now))
    .$if(app !== undefined, (query) => query.where('app', '=', app ?? ''))
    .$if(versions !== undefined, (query) =>
      query.where(sql<boolean>`version in (select value from ${jsonRows(versions ?? [])})`),
    )
    .$if(route !== undefined, (query) => query.where('route', '=', route ?? ''))
    .$if(role !== undefined, (query) => query.where('role', '=', role ?? 'live'));
  const places = new Map<string, PlacedSums>();
  await inSlices(db, rows, (slice) => {
    for (const row of slice) {
      const before = places.get(placeKey(row))?.sums ?? noSums;
      places.set(placeKey(row), { ...row, sums: addSums(before, row.sums) });
    }
  });
  return [...places.values()];
}

export type TimedSums = PlacedSums & { at: Date };

export interface Series {
  everyMs: number;
  rows: TimedSums[];
}

/** Health over time: from pulses if retained, else from hours, which have routes. */
export async function readSeries(
  db: RegistryDb,
  channel: ChannelName,
  { app, versions, from }: Pick<SignalsWanted, 'app' | 'versions' | 'from'>,
  now: Date,
): Promise<Series> {
  const { kept, span } = signalSpans.signal_pulses;
  const name = from.getTime() > now.getTime() - kept + span ? 'signal_pulses' : 'signal_hours';
  const rows = await db
    .selectFrom(name)
    .select(['app', 'version', 'route', 'role', 'at'])
    // Pulses contain no more.
    .select(
      (name === 'signal_pulses'
        ? sql<SignalSums>`sums`
        : sql<SignalSums>`sums - 'cls' - 'interactive' - 'engines'`
      ).as('sums'),
    )
    .where('channel', '=', channel)
    .where('at', '>=', from)
    .$if(app !== undefined, (query) => query.where('app', '=', app ?? ''))
    .$if(versions !== undefined, (query) =>
      query.where(sql<boolean>`version in (select value from ${jsonRows(versions ?? [])})`),
    )
    .orderBy('at')
    .execute();
  return { everyMs: signalSpans[name].span, rows };
}

/** The hourly sums of an app's version from one time until before another, of the canary's visitors or all others. */
export interface Around extends Pick<SignalPlace, 'app' | 'version' | 'role'> {
  from: Date;
  to: Date;
}

export async function readAround(
  db: RegistryDb,
  channel: ChannelName,
  wanted: readonly Around[],
): Promise<SignalSums[][]> {
  const found = wanted.map((): SignalSums[] => []);
  if (wanted.length === 0) return found;
  const list = JSON.stringify(wanted.map((one, place) => ({ ...one, place })));
  const { rows } = await sql<{ place: number; sums: SignalSums }>`
    select place, sums
    from jsonb_to_recordset(${list}::jsonb)
      as wanted (place integer, app text, version text, role text, "from" timestamptz, "to" timestamptz)
    cross join lateral (
      select sums - 'cls' - 'interactive' - 'engines' as sums from registry.signal_hours as hours
      where hours.channel = ${channel} and hours.app = wanted.app and hours.version = wanted.version
        and hours.at >= wanted."from" and hours.at < wanted."to" and hours.role = wanted.role
      -- One after the other, by the index. As a join it may read the whole table.
      offset 0
    ) as hours`.execute(db);
  for (const { place, sums } of rows) found[place]?.push(sums);
  return found;
}

export async function viewsByEngine(
  db: RegistryDb,
  channel: ChannelName,
  versions: readonly VersionPair[],
  since: Date,
): Promise<Map<string, ByEngine<number>>> {
  const wanted = JSON.stringify(versions.map(([app, version]) => ({ app, version })));
  const { rows } = await sql<{ app: string; version: string; engine: BrowserEngine; views: number }>`
    select app, version, engine, sum((own -> 'first' ->> 'views')::integer)::float as views
    from registry.signal_hours
    join jsonb_to_recordset(${wanted}::jsonb) as wanted (app text, version text) using (app, version)
    cross join lateral jsonb_each(sums -> 'engines') as engines (engine, own)
    where channel = ${channel} and at >= ${since}
    group by app, version, engine`.execute(db);
  const found = new Map<string, ByEngine<number>>();
  for (const { app, version, engine, views } of rows) {
    const name = versionName(app, version);
    found.set(name, { ...found.get(name), [engine]: views });
  }
  return found;
}
