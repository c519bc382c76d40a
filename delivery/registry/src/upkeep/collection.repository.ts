import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import { jsonRows, versionRows } from '../kernel/json-rows.ts';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';
import type { VersionPair } from '../versions/index.ts';

/** Reads and deletes of a collection. For maintenance only: some costs grow with the history. */

export interface Keep {
  releases: number;
  since: Date;
}

export interface KeptWith {
  versions: ReadonlySet<string>;
  configs: readonly string[];
}

/**
 * Live and recently ended releases and canaries, because open tabs still load their files. A release ends with the
 * next one or its revocation.
 */
export async function keptReleases(db: RegistryDb, { releases, since }: Keep): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select recent.number from (
      select number, at,
        row_number() over (partition by channel order by number desc) as recency,
        lead(at) over (partition by channel order by number) as followed_at,
        min(at) filter (where not as_canary) over (
          partition by channel order by number desc rows between unbounded preceding and 1 preceding
        ) as replaced_at
      from registry.releases
    ) as recent
    left join registry.revocations on revocations.release = recent.number
    where recency <= ${releases}
      or recent.at > ${since} or followed_at > ${since} or replaced_at > ${since} or revocations.at > ${since}
    union select live from registry.channels where live is not null
    union select release from registry.canaries where ended_at is null or ended_at > ${since}
  `.execute(db);
  return rows.map(({ number }) => number);
}

export async function versionsIn(db: RegistryDb, releases: readonly number[]): Promise<VersionPair[]> {
  if (releases.length === 0) return [];
  const { rows } = await sql<{ app: string; version: string; last_good: string | null }>`
    with kept as (select value::integer as number from ${jsonRows(releases)})
    select app, version, last_good from registry.release_apps where release in (select number from kept)
    union
    select gone.key, gone.value ->> 'version', null
    from kept join registry.releases using (number), jsonb_each(retired) as gone
    union
    select gone.key, gone.value, null
    from kept join registry.releases using (number), jsonb_each_text(left_out) as gone
  `.execute(db);
  return rows.flatMap(({ app, version, last_good }): VersionPair[] => [
    [app, version],
    ...(last_good === null ? [] : [[app, last_good] as const]),
  ]);
}

export async function versionsSince(db: RegistryDb, since: Date, after: number): Promise<VersionPair[]> {
  const rows = await db
    .selectFrom('versions')
    .select(['app', 'version'])
    .where('published_at', '>', since)
    .where('sequence', '>', after)
    .execute();
  return rows.map(({ app, version }) => [app, version]);
}

/** The last publishing number. It is assigned under the audit log's lock, so later commits have higher numbers. */
export async function newestSequence(db: RegistryDb): Promise<number> {
  const row = await db
    .selectFrom('versions')
    .select(({ fn }) => fn.max('sequence').as('newest'))
    .executeTakeFirst();
  return row?.newest ?? 0;
}

export async function previewedVersions(db: RegistryDb, now: Date): Promise<VersionPair[]> {
  const rows = await db
    .selectFrom('previews')
    .select(['app', 'version'])
    .where('expires_at', '>', now)
    .where('ended_at', 'is', null)
    .execute();
  return rows.flatMap(({ app, version }) => (version === null ? [] : [[app, version] as const]));
}

export async function configsIn(db: RegistryDb, releases: readonly number[]): Promise<string[]> {
  if (releases.length === 0) return [];
  const { rows } = await sql<{ config_digest: string }>`
    select distinct config_digest from registry.releases
    where number in (select value::integer from ${jsonRows(releases)})
  `.execute(db);
  return rows.map(({ config_digest }) => config_digest);
}

export async function channelNames(db: RegistryDb): Promise<ChannelName[]> {
  const rows = await db.selectFrom('channels').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

export async function keptPages(db: RegistryDb, kept: KeptWith): Promise<string[]> {
  const rows = await db
    .selectFrom('rendered_pages')
    .select(['integrity', 'pack'])
    .distinct()
    .where(sql<boolean>`not (${unneeded(kept)})`)
    .execute();
  return rows.flatMap(({ integrity, pack }) => (pack === null ? [integrity] : [integrity, pack]));
}

export interface PageGroup {
  shell_version: string;
  app: string;
  app_version: string;
  config_digest: string;
}

export async function otherPages(db: RegistryDb, kept: KeptWith): Promise<PageGroup[]> {
  return db
    .selectFrom('rendered_pages')
    .select(['shell_version', 'app', 'app_version', 'config_digest'])
    .distinct()
    .where(unneeded(kept))
    .execute();
}

export async function forgetPages(
  transaction: RegistryTransaction,
  groups: readonly PageGroup[],
): Promise<void> {
  if (groups.length === 0) return;
  await sql`
    delete from registry.rendered_pages as page
    using jsonb_to_recordset(${JSON.stringify(groups)}::jsonb)
      as gone (shell_version text, app text, app_version text, config_digest text)
    where page.app = gone.app and page.app_version = gone.app_version
      and page.shell_version = gone.shell_version and page.config_digest = gone.config_digest`.execute(
    transaction,
  );
}

export async function reliedOn(
  transaction: RegistryTransaction,
  integrities: readonly string[],
  since: Date,
): Promise<Set<string>> {
  if (integrities.length === 0) return new Set();
  const asked = sql`(select value from ${jsonRows(integrities)})`;
  const { rows } = await sql<{ integrity: string }>`
    select integrity from registry.wanted_blobs where wanted_at >= ${since} and integrity in ${asked}
    union select integrity from registry.rendered_pages where integrity in ${asked}
    union select pack from registry.rendered_pages where pack in ${asked}`.execute(transaction);
  return new Set(rows.map(({ integrity }) => integrity));
}

/** A page is kept if its shell, its remote and its configuration all are. */
function unneeded({ versions, configs }: KeptWith) {
  const named = sql`(select value from ${jsonRows([...versions])})`;
  return sql<boolean>`
    ('shell@' || shell_version not in ${named}
      or app || '@' || app_version not in ${named}
      or config_digest not in (select value from ${jsonRows(configs)}))`;
}

export async function markCollected(
  transaction: RegistryTransaction,
  versions: readonly VersionPair[],
  at: Date,
): Promise<{ app: string; version: string }[]> {
  const { rows } = await sql<{ app: string; version: string }>`
    update registry.versions set collected_at = ${at}
    from ${versionRows(versions)}
    where versions.app = wanted.app and versions.version = wanted.version and collected_at is null
    returning versions.app, versions.version`.execute(transaction);
  return rows;
}

export async function hasVersions(db: RegistryDb): Promise<boolean> {
  return (await db.selectFrom('versions').select('version').limit(1).executeTakeFirst()) !== undefined;
}

export async function keptVersions(db: RegistryDb): Promise<VersionPair[]> {
  const rows = await db
    .selectFrom('versions')
    .select(['app', 'version'])
    .where('collected_at', 'is', null)
    .orderBy('sequence')
    .execute();
  return rows.map(({ app, version }) => [app, version]);
}

export function allPages(db: RegistryDb) {
  return db
    .selectFrom('rendered_pages')
    .select(['app', 'app_version as version', 'path', 'integrity', 'pack'])
    .orderBy('app')
    .orderBy('path')
    .execute();
}
