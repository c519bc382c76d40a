import { sql } from 'kysely';
import type { AppChange, ChannelName, Retirement } from '@site/contract';
import { authorFieldNames, type AuthorFields } from '@site/contract/author-fields';
import { GUARD_NAME } from '@site/contract/registry-calls/upkeep.calls';
import type { RegistryDb, ReleaseRow } from '../kernel/tables.ts';
import { selectRetirements } from '../channels/index.ts';
import { jsonRows } from '../kernel/json-rows.ts';

export interface LiveSince extends Pick<ReleaseRow, 'number' | 'kind' | 'at' | 'by' | 'reason'> {
  app: string;
  version: string;
}

export async function liveSince(db: RegistryDb, channel: ChannelName): Promise<LiveSince[]> {
  const { rows } = await sql<LiveSince>`
    select live.app, live.version, made.number, made.kind, made.at, made.by, made.reason
    from registry.channels
    join registry.release_apps as live on live.release = channels.live
    join registry.live_versions as span
      on span.app = live.app and span.version = live.version and span.channel = channels.name
    join registry.releases as made on made.number = span.since
    where channels.name = ${channel}`.execute(db);
  return rows;
}

export interface OpenAction {
  app: string;
  version: string;
  did: 'suggested' | 'refused';
  why: string;
  evidence: string;
  at: Date;
}

export async function listOpenActions(db: RegistryDb, channel: ChannelName): Promise<OpenAction[]> {
  const { rows } = await sql<OpenAction>`
    select distinct on (action.app, action.version)
      action.app, action.version, action.did, action.why, action.evidence, action.at
    from registry.channels
    join registry.release_apps as shown on shown.release = channels.live or exists (
      select from registry.canaries
      where canaries.release = shown.release and canaries.app = shown.app and canaries.channel = channels.name
        and ended_at is null
    )
    join registry.guard_actions as action
      on action.channel = channels.name and action.app = shown.app and action.version = shown.version
    where channels.name = ${channel} and action.did <> 'acted' and not exists (
      select from registry.guard_actions as acted
      where acted.channel = action.channel and acted.subject = action.subject and acted.app = action.app
        and acted.did = 'acted'
    )
    order by action.app, action.version, action.at desc`.execute(db);
  return rows;
}

export interface RecentAction {
  app: string;
  version: string;
  release: number;
  at: Date;
  by: string;
  publishedBy: string;
  says: string;
}

const MOST_RECENT = 20;

export async function listRecentActions(
  db: RegistryDb,
  channel: ChannelName,
  since: Date,
): Promise<RecentAction[]> {
  const { rows } = await sql<RecentAction>`
    select done.*, versions.published_by as "publishedBy" from (
      select app, version, subject as release, at, ${GUARD_NAME} as by, evidence as says
      from registry.guard_actions where channel = ${channel} and did = 'acted' and at > ${since}
      union all
      select bad.app, bad.version, made.parent, made.at, made.by, made.reason
      from registry.releases as made
      join registry.app_changes as changed on changed.release = made.number
      join registry.release_apps as bad on bad.release = made.parent and bad.app = changed.app
      where made.channel = ${channel} and made.kind = 'rollback' and not made.as_canary
        and made.at > ${since} and made.by <> ${GUARD_NAME}
    ) as done
    join registry.versions on versions.app = done.app and versions.version = done.version
    order by at desc, app limit ${MOST_RECENT}`.execute(db);
  return rows;
}

export interface TimelineRow extends Pick<
  ReleaseRow,
  'number' | 'kind' | 'at' | 'by' | 'parent' | 'as_canary' | keyof AuthorFields
> {
  isRevoked: boolean;
  configuration: boolean;
  changes: AppChange[];
  retirements: Retirement[];
}

const authorColumns = (release: string) =>
  sql.join(authorFieldNames.map((name) => sql.ref(`${release}.${name}`)));

export async function listTimeline(
  db: RegistryDb,
  channel: ChannelName,
  { limit, before, app }: { limit: number; before: number; app: string | undefined },
): Promise<TimelineRow[]> {
  const chosen =
    app === undefined
      ? sql`select number from registry.releases where channel = ${channel} and number < ${before}
          order by number desc limit ${limit}`
      : sql`select release as number from registry.app_changes
          where channel = ${channel} and app = ${app} and release < ${before} order by release desc limit ${limit}`;
  const { rows } = await sql<TimelineRow>`
    select made.number, made.kind, made.at, made.by, made.parent, made.as_canary, ${authorColumns('made')},
      exists (select from registry.revocations where release = made.number) as "isRevoked",
      coalesce(made.config_digest <> parent_release.config_digest, false) as configuration,
      (
        select coalesce(jsonb_agg(jsonb_build_object('app', changed.app, 'from', was.version, 'to', now.version)
          order by changed.app), '[]')
        from registry.app_changes as changed
        left join registry.release_apps as now on now.release = made.number and now.app = changed.app
        left join registry.release_apps as was on was.release = made.parent and was.app = changed.app
        where changed.release = made.number and changed.channel = made.channel
          and now.version is distinct from was.version
      ) as changes,
      ${selectRetirements('made', 'parent_release')} as retirements
    from (${chosen}) as chosen
    join registry.releases as made on made.number = chosen.number
    left join registry.releases as parent_release on parent_release.number = made.parent
    order by made.number desc`.execute(db);
  return rows;
}

export interface Found {
  apps: { app: string }[];
  versions: { app: string; version: string; commit: string | null; publishedAt: Date; publishedBy: string }[];
  releases: Pick<ReleaseRow, 'number' | 'at' | 'by' | 'reason'>[];
  people: { name: string; last: Date }[];
}

const EACH = 10;

export async function findByText(
  db: RegistryDb,
  channel: ChannelName,
  text: string,
  visible: ReadonlySet<string> | null,
): Promise<Found> {
  const mayBeSeen = visible === null ? sql`true` : sql`app in (select value from ${jsonRows([...visible])})`;
  const literal = text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
  const anywhere = `%${literal}%`;
  // Compared as text to use the index: commits are lower-case hex digits.
  const commit = /^[0-9a-f]{4,40}$/i.test(text) ? `${text.toLowerCase()}%` : null;
  const [apps, versions, releases, people] = await Promise.all([
    sql<Found['apps'][number]>`
      select app from registry.app_usage where app ilike ${anywhere} order by app limit ${EACH}`.execute(db),
    sql<Found['versions'][number]>`
      with found as (
        (select sequence from registry.versions where app || '@' || version ilike ${anywhere} and ${mayBeSeen}
          order by sequence desc limit ${EACH})
        union
        (select sequence from registry.versions where commit like ${commit} and ${mayBeSeen} limit ${EACH})
      )
      select app, version, commit, published_at as "publishedAt", published_by as "publishedBy"
      from found join registry.versions using (sequence) order by sequence desc limit ${EACH}`.execute(db),
    sql<Found['releases'][number]>`
      select number, at, by, reason from registry.releases
      where channel = ${channel}
        and ('r' || number = lower(${text}) or reason ilike ${anywhere} or by ilike ${anywhere})
      order by 'r' || number = lower(${text}) desc, number desc limit ${EACH}`.execute(db),
    sql<Found['people'][number]>`
      select by as name, max(at) as last from registry.audit_events where by ilike ${anywhere}
      group by by order by last desc limit ${EACH}`.execute(db),
  ]);
  return { apps: apps.rows, versions: versions.rows, releases: releases.rows, people: people.rows };
}

/** The heaviest document of each page with the live shell, in transferred bytes. */
export async function documentWeights(
  db: RegistryDb,
  { shell, configDigest }: { shell: string; configDigest: string },
  app: string,
  versions: readonly string[],
): Promise<{ version: string; path: string; sent: number }[]> {
  const { rows } = await sql<{ version: string; path: string; sent: number }>`
    select app_version as version, path, max((weight ->> 'sent')::integer) as sent from registry.rendered_pages
    where shell_version = ${shell} and config_digest = ${configDigest} and app = ${app}
      and app_version in (select value from ${jsonRows(versions)}) and weight is not null
    group by app_version, path`.execute(db);
  return rows;
}

export async function countFaults(
  db: RegistryDb,
  channel: ChannelName,
  app: string,
  versions: readonly string[],
): Promise<Map<string, { groups: number; count: number }>> {
  const { rows } = await sql<{ version: string; groups: number; count: number }>`
    select version, count(*)::integer as groups, sum(count)::float8 as count from registry.fault_groups
    where channel = ${channel} and app = ${app} and version in (select value from ${jsonRows(versions)})
    group by version`.execute(db);
  return new Map(rows.map(({ version, ...counts }) => [version, counts]));
}
