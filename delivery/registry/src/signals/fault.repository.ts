import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import { browserFaultKinds, faultKinds } from '@site/contract/signals/fault';
import type { FaultSum } from '@site/contract/signals/sums.schema';
import { jsonRows } from '../kernel/json-rows.ts';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';

/**
 * Maximum number of fault groups per version; all others share one group. Browser reports have a separate quota: any
 * client can send them, and they must not displace the page's own.
 */
const GROUPS_OF_A_VERSION = {
  page: { kinds: faultKinds, groups: 200, other: 'other' },
  browser: { kinds: browserFaultKinds, groups: 50, other: 'other-browser' },
} as const;
const ROUTES_OF_A_GROUP = 20;

type Quota = (typeof GROUPS_OF_A_VERSION)[keyof typeof GROUPS_OF_A_VERSION];
const groupQuota = (kind: FaultSum['kind']): Quota =>
  GROUPS_OF_A_VERSION[(faultKinds as readonly string[]).includes(kind) ? 'page' : 'browser'];

export interface StoredFaultGroup extends Pick<
  FaultSum,
  'app' | 'version' | 'kind' | 'message' | 'file' | 'line' | 'column'
> {
  routes: string[];
  count: number;
  browsers: { name: string; count: number }[];
  first: Date;
  last: Date;
  firstVersion: string;
}

type Row = FaultSum & { fingerprint: string };

export async function addFaults(
  transaction: RegistryTransaction,
  channel: ChannelName,
  faults: readonly FaultSum[],
  at: Date,
): Promise<void> {
  for (const fault of faults) {
    const named: Row = { ...fault, fingerprint: faultFingerprint(fault) };
    if (await isFull(transaction, channel, named)) await dropSmallest(transaction, channel, fault);
    await addGroup(transaction, channel, named, { first: at, last: at });
  }
}

async function addGroup(
  transaction: RegistryTransaction,
  channel: ChannelName,
  { app, version, fingerprint, count, route, browsers, ...fault }: Row,
  { first, last }: { first: Date; last: Date },
): Promise<void> {
  const { kind, message, file, line, column } = fault;
  const routes = JSON.stringify(route === undefined ? [] : [route]);
  await sql`
    insert into registry.fault_groups
      (channel, app, version, fingerprint, fault, routes, count, browsers, first_at, last_at)
    values (${channel}, ${app}, ${version}, ${fingerprint},
      ${JSON.stringify({ kind, message, file, line, column })}::jsonb, ${routes}::jsonb, ${count},
      ${JSON.stringify(browsers)}::jsonb, ${first}, ${last})
    on conflict (channel, app, version, fingerprint) do update set
      count = fault_groups.count + excluded.count,
      browsers = (
        select coalesce(jsonb_object_agg(name, times), '{}') from (
          select key as name, sum(value::integer) as times
          from (
            select * from jsonb_each_text(fault_groups.browsers)
            union all select * from jsonb_each_text(excluded.browsers)
          ) as counted
          group by key
        ) as summed
      ),
      first_at = least(fault_groups.first_at, excluded.first_at),
      last_at = greatest(fault_groups.last_at, excluded.last_at),
      routes = case
        when fault_groups.routes @> excluded.routes or jsonb_array_length(fault_groups.routes) >= ${ROUTES_OF_A_GROUP}
        then fault_groups.routes else fault_groups.routes || excluded.routes
      end`.execute(transaction);
}

/**
 * Merges the group with the fewest faults, then the least recent one, into the shared group: a new fault always gets a
 * group, and rare faults never displace frequent ones.
 */
async function dropSmallest(
  transaction: RegistryTransaction,
  channel: ChannelName,
  { app, version, kind }: FaultSum,
): Promise<void> {
  const { kinds, groups, other } = groupQuota(kind);
  const smallest = await selectGroups(transaction, channel, { app, version, kind })
    .select(['fingerprint', 'count', 'browsers', 'first_at', 'last_at'])
    .orderBy('count')
    .orderBy('last_at')
    .orderBy('fingerprint')
    .executeTakeFirstOrThrow();
  await transaction
    .deleteFrom('fault_groups')
    .where(({ and }) => and({ channel, app, version, fingerprint: smallest.fingerprint }))
    .execute();
  const message = `other faults, beside the ${groups - 1} groups of this version`;
  const { count, browsers, first_at: first, last_at: last } = smallest;
  const row: Row = { fingerprint: other, kind: kinds[0], app, version, count, browsers, message };
  await addGroup(transaction, channel, row, { first, last });
}

function selectGroups(
  db: RegistryDb,
  channel: ChannelName,
  { app, version, kind }: Pick<FaultSum, 'app' | 'version' | 'kind'>,
) {
  const { kinds, other } = groupQuota(kind);
  return db
    .selectFrom('fault_groups')
    .where(({ and }) => and({ channel, app, version }))
    .where('fingerprint', '<>', other)
    .where(sql<boolean>`fault ->> 'kind' in (select value from ${jsonRows(kinds)})`);
}

export async function listFaults(
  db: RegistryDb,
  channel: ChannelName,
  { app, version, limit }: { app?: string | undefined; version?: string | undefined; limit: number },
): Promise<StoredFaultGroup[]> {
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
  return rows.map((row) => ({
    app: row.app,
    version: row.version,
    ...row.fault,
    routes: row.routes,
    count: row.count,
    browsers: commonestFirst(row.browsers),
    first: row.first_at,
    last: row.last_at,
    firstVersion: row.first_version,
  }));
}

/**
 * Excludes browser reports, because any client can send them and the text reaches the audit log and operators.
 */
export async function commonestFault(
  db: RegistryDb,
  channel: ChannelName,
  { app, version, route }: { app: string; version: string; route: string | undefined },
): Promise<string | undefined> {
  const found = await selectGroups(db, channel, { app, version, kind: 'error' })
    .select('fault')
    .$if(route !== undefined, (query) =>
      query.where(sql<boolean>`routes @> ${JSON.stringify([route])}::jsonb`),
    )
    .orderBy('count', 'desc')
    .orderBy('fingerprint')
    .executeTakeFirst();
  return found?.fault.message;
}

function commonestFirst(browsers: FaultSum['browsers']): StoredFaultGroup['browsers'] {
  return Object.entries(browsers)
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

function faultFingerprint({ kind, message, file, line, column }: FaultSum): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, message, file, line, column]))
    .digest('base64url')
    .slice(0, 22);
}

async function isFull(db: RegistryDb, channel: ChannelName, row: Row): Promise<boolean> {
  const { groups, known } = await selectGroups(db, channel, row)
    .select(({ fn }) => [
      fn.countAll<number>().as('groups'),
      sql<boolean>`coalesce(bool_or(fingerprint = ${row.fingerprint}), false)`.as('known'),
    ])
    .executeTakeFirstOrThrow();
  return !known && groups >= groupQuota(row.kind).groups - 1;
}
