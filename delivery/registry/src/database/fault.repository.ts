import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { FaultSum } from '@site/contract/signals/sums.schema';
import type { RegistryDb, RegistryTransaction } from './tables.ts';

/** Different faults of one version that are told apart; all others are one. */
const GROUPS_OF_A_VERSION = 200;
const ROUTES_OF_A_GROUP = 20;

/** A fault of a version, and in how many views it happened. */
export interface FaultGroup extends Pick<
  FaultSum,
  'app' | 'version' | 'kind' | 'message' | 'file' | 'line' | 'column'
> {
  routes: string[];
  count: number;
  first: Date;
  last: Date;
  /** The version of the app in which the same was told of first. */
  firstVersion: string;
}

type Row = FaultSum & { fingerprint: string };

/** Adds faults to those of the same kind, text and place. See `inTurn`. */
export async function addFaults(
  transaction: RegistryTransaction,
  channel: ChannelName,
  faults: readonly FaultSum[],
  at: Date,
): Promise<void> {
  for (const fault of faults) {
    const named: Row = { ...fault, fingerprint: fingerprintOf(fault) };
    const row = (await isFull(transaction, channel, named)) ? otherOf(fault) : named;
    const { kind, message, file, line, column } = row;
    const routes = JSON.stringify(row.route === undefined ? [] : [row.route]);
    await sql`
      insert into registry.fault_groups (channel, app, version, fingerprint, fault, routes, count, first_at, last_at)
      values (${channel}, ${row.app}, ${row.version}, ${row.fingerprint},
        ${JSON.stringify({ kind, message, file, line, column })}::jsonb, ${routes}::jsonb, ${row.count}, ${at}, ${at})
      on conflict (channel, app, version, fingerprint) do update set
        count = fault_groups.count + excluded.count,
        last_at = excluded.last_at,
        routes = case
          when fault_groups.routes @> excluded.routes or jsonb_array_length(fault_groups.routes) >= ${ROUTES_OF_A_GROUP}
          then fault_groups.routes else fault_groups.routes || excluded.routes
        end`.execute(transaction);
  }
}

/** Faults of a channel, those that were seen last first. */
export async function listFaults(
  db: RegistryDb,
  channel: ChannelName,
  { app, version, limit }: { app?: string | undefined; version?: string | undefined; limit: number },
): Promise<FaultGroup[]> {
  const rows = await db
    .selectFrom('fault_groups')
    .selectAll()
    .select(
      sql<string>`(
        select same.version from registry.fault_groups as same
        where same.channel = fault_groups.channel and same.app = fault_groups.app
          and same.fingerprint = fault_groups.fingerprint
        order by same.first_at, same.version limit 1
      )`.as('first_version'),
    )
    .where('channel', '=', channel)
    .$if(app !== undefined, (query) => query.where('app', '=', app ?? ''))
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? ''))
    .orderBy('last_at', 'desc')
    .orderBy('count', 'desc')
    .orderBy('fingerprint')
    .limit(limit)
    .execute();
  return rows.map(
    ({ app: ofApp, version: ofVersion, fault, routes, count, first_at, last_at, first_version }) => ({
      app: ofApp,
      version: ofVersion,
      ...fault,
      routes,
      count,
      first: first_at,
      last: last_at,
      firstVersion: first_version,
    }),
  );
}

/** What a version's visitors ran into most often on a route, or anywhere. Undefined when nothing was told. */
export async function commonestFault(
  db: RegistryDb,
  channel: ChannelName,
  { app, version, route }: { app: string; version: string; route: string | undefined },
): Promise<string | undefined> {
  const found = await db
    .selectFrom('fault_groups')
    .select('fault')
    .where('channel', '=', channel)
    .where('app', '=', app)
    .where('version', '=', version)
    .where('fingerprint', '<>', OTHER)
    .$if(route !== undefined, (query) =>
      query.where(sql<boolean>`routes @> ${JSON.stringify([route])}::jsonb`),
    )
    .orderBy('count', 'desc')
    .orderBy('fingerprint')
    .executeTakeFirst();
  return found?.fault.message;
}

/** The group of what has no group of its own. */
const OTHER = 'other';

function otherOf({ app, version, count, route }: FaultSum): Row {
  const message = `other faults, after the first ${GROUPS_OF_A_VERSION - 1}`;
  return { fingerprint: OTHER, kind: 'error', app, version, count, message, route };
}

function fingerprintOf({ kind, message, file, line, column }: FaultSum): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, message, file, line, column]))
    .digest('base64url')
    .slice(0, 22);
}

async function isFull(
  db: RegistryDb,
  channel: ChannelName,
  { app, version, fingerprint }: Row,
): Promise<boolean> {
  const { groups, known } = await db
    .selectFrom('fault_groups')
    .select(({ fn }) => [
      fn.countAll<number>().as('groups'),
      sql<boolean>`coalesce(bool_or(fingerprint = ${fingerprint}), false)`.as('known'),
    ])
    .where('channel', '=', channel)
    .where('app', '=', app)
    .where('version', '=', version)
    .where('fingerprint', '<>', OTHER)
    .executeTakeFirstOrThrow();
  return !known && groups >= GROUPS_OF_A_VERSION - 1;
}
