import { type RawBuilder, sql } from 'kysely';
import type { ChannelName, Retirement } from '@site/contract';
import type { LiveSpan } from '../versions/index.ts';
import { jsonRows } from '../kernel/json-rows.ts';
import type { RegistryDb, RegistryTransaction, ReleaseRow } from '../kernel/tables.ts';

/** Rollback candidates considered per app. */
const LOOKED_AT = 10;

/** The cost is independent of the history. */
export async function insertAppChanges(
  transaction: RegistryTransaction,
  { channel, number, parent, as_canary }: ReleaseRow,
): Promise<void> {
  const { rows } = await sql<{ app: string }>`
    insert into registry.app_changes (channel, app, release)
    select ${channel}, coalesce(now.app, before.app), ${number}::integer
    from (select * from registry.release_apps where release = ${number}) as now
    full join (select * from registry.release_apps where release = ${parent}) as before on before.app = now.app
    where before.version is distinct from now.version
    union
    select ${channel}, retirement.app, ${number}::integer
    from registry.releases as made
    left join registry.releases as parent_release on parent_release.number = made.parent
    cross join lateral jsonb_to_recordset(${selectRetirements('made', 'parent_release')}) as retirement (app text)
    where made.number = ${number}
    returning app`.execute(transaction);
  // A canary's release was never live, so its versions do not count as "live before".
  if (as_canary || rows.length === 0) return;
  await sql`
    insert into registry.live_versions (app, version, channel, since)
    select app, version, channel, release from registry.release_apps
    where release = ${number} and app in (select value from ${jsonRows(rows.map(({ app }) => app))})
    on conflict (app, version, channel) do update set since = excluded.since, found_bad = false
  `.execute(transaction);
}

/** Without quarantined ones. The ten that were live most recently, and the last ten proven ones regardless of age. */
export async function formerVersions(
  db: RegistryDb,
  channel: ChannelName,
  apps: readonly string[],
): Promise<Map<string, LiveSpan[]>> {
  const standings = sql`registry.version_standings as standing on standing.channel = live_versions.channel
    and standing.app = live_versions.app and standing.version = live_versions.version`;
  const mostRecent = (joined: typeof standings) => sql`
    select live_versions.version, live_versions.since, standing.app is not null as proven
    from registry.live_versions
    join registry.versions on versions.app = live_versions.app and versions.version = live_versions.version
    ${joined}
    where live_versions.channel = ${channel} and live_versions.app = wanted.value
      and versions.collected_at is null
      and not exists (
        select from registry.quarantines
        where quarantines.app = live_versions.app and quarantines.version = live_versions.version
      )
    order by live_versions.since desc limit ${LOOKED_AT}`;
  const { rows } = await sql<LiveSpan & { app: string }>`
    select wanted.value as app, span.version, span.since, span.proven
    from ${jsonRows(apps)} as wanted
    cross join lateral (
      (${mostRecent(sql`left join ${standings}`)}) union (${mostRecent(sql`join ${standings}`)})
    ) as span
  `.execute(db);
  const byApp = new Map<string, LiveSpan[]>();
  for (const { app, ...parent_release } of rows) byApp.set(app, [...(byApp.get(app) ?? []), parent_release]);
  return byApp;
}

/** For maintenance only: the cost grows with the history. */
export async function appsEverLive(db: RegistryDb, channel: ChannelName): Promise<string[]> {
  const rows = await db
    .selectFrom('live_versions')
    .select('app')
    .distinct()
    .where('channel', '=', channel)
    .execute();
  return rows.map(({ app }) => app);
}

/** Including quarantined versions. */
export async function wasLive(
  db: RegistryDb,
  channel: ChannelName,
  app: string,
  version: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('live_versions')
    .select('since')
    .where('channel', '=', channel)
    .where('app', '=', app)
    .where('version', '=', version)
    .executeTakeFirst();
  return found !== undefined;
}

/** The versions that were quarantined after they last went live on the channel, even if the quarantine was lifted. */
export async function foundBadSince(
  db: RegistryDb,
  channel: ChannelName,
  app: string,
  versions: readonly string[],
): Promise<Set<string>> {
  if (versions.length === 0) return new Set();
  const rows = await db
    .selectFrom('live_versions')
    .select('version')
    .where('channel', '=', channel)
    .where('app', '=', app)
    .where('version', 'in', versions)
    .where('found_bad', '=', true)
    .execute();
  return new Set(rows.map(({ version }) => version));
}

/** Two possible controls: the last good version may be old; the version that was live just before may be bad. */
export interface NewlyLive {
  app: string;
  version: string;
  lastGood: string | null;
  before: string | null;
  subject: number;
  since: Date;
}

/** Except by rollback. */
export async function newlyLive(db: RegistryDb, channel: ChannelName, since: Date): Promise<NewlyLive[]> {
  const { rows } = await sql<NewlyLive>`
    select live.app, live.version, made.last_good as "lastGood", before.version as before,
      releases.number as subject, releases.at as since
    from registry.channels
    join registry.release_apps as live on live.release = channels.live
    join registry.live_versions as span
      on span.app = live.app and span.version = live.version and span.channel = channels.name
    join registry.releases on releases.number = span.since
    left join registry.release_apps as made on made.release = releases.number and made.app = live.app
    left join registry.release_apps as before on before.release = releases.parent and before.app = live.app
    where channels.name = ${channel} and releases.at > ${since} and releases.kind <> 'rollback'
    order by releases.number, live.app`.execute(db);
  return rows;
}

/** A release's changes to retirements, as a query column. `parent_release`, its parent, may be missing. */
export const selectRetirements = (made: string, parent_release: string): RawBuilder<Retirement[]> => sql`(
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'app', app, 'is', case when now.value is null then 'back' else 'retired' end, 'to', now.value -> 'to'
    )
    order by app), '[]')
  from jsonb_each(${sql.ref(made)}.retired) as now (app, value)
  full join jsonb_each(coalesce(${sql.ref(parent_release)}.retired, '{}')) as was (app, value) using (app)
  where now.value is distinct from was.value
)`;

export async function listRetirements(
  db: RegistryDb,
  releases: readonly number[],
): Promise<Map<number, Retirement[]>> {
  const { rows } = await sql<{ number: number; retirements: Retirement[] }>`
    select made.number, ${selectRetirements('made', 'parent_release')} as retirements
    from registry.releases as made
    left join registry.releases as parent_release on parent_release.number = made.parent
    where made.number in (select value::integer from ${jsonRows(releases)})`.execute(db);
  return new Map(rows.map(({ number, retirements }) => [number, retirements]));
}
