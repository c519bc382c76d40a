import { sql, type Kysely } from 'kysely';
import { appsEverLive, formerVersions } from '../database/live-version.repository.ts';
import { rowsOf } from '../database/rows-of.ts';
import type { RegistryTables } from '../database/tables.ts';
import { readManifests, versionName, type VersionPair } from '../database/version.repository.ts';

export interface Keep {
  /** The newest releases of each channel that stay whole. */
  releases: number;
  /** Releases and versions that are younger than this stay whole. */
  since: Date;
}

/** What must stay, by the rules of `POST /v1/collections`. */
export interface Needed {
  /** `<app>@<version>` */
  versions: Set<string>;
  blobs: Set<string>;
  /** Selects the rendered pages that may go. */
  unneededPages: ReturnType<typeof unneededPages>;
}

/** Of each app, the versions to fall back to that stay even when no kept release names them. */
const WAYS_BACK = 3;

export async function findNeeded(db: Kysely<RegistryTables>, keep: Keep, now: Date): Promise<Needed> {
  const releases = await keptReleases(db, keep);
  const pairs = [
    ...(await versionsOf(db, releases)),
    ...(await waysBack(db)),
    ...(await recentVersions(db, keep.since)),
    ...(await previewedVersions(db, now)),
  ];
  const versions = new Set(pairs.map(([app, version]) => versionName(app, version)));
  const configs = await configsOf(db, releases);
  const blobs = new Set<string>();
  for await (const manifest of readManifests(db, pairs, { withFiles: true })) {
    for (const { integrity } of [...manifest.assets, manifest.server]) blobs.add(integrity);
  }
  const pages = unneededPages(versions, configs);
  const kept = await db
    .selectFrom('rendered_pages')
    .select('integrity')
    .distinct()
    .where(sql<boolean>`not (${pages})`)
    .execute();
  for (const { integrity } of kept) blobs.add(integrity);
  return { versions, blobs, unneededPages: pages };
}

/**
 * What is live or a candidate, and what was not long ago: tabs that were opened then still load its files. So a release
 * is as young as its end, which is the next release or its revocation.
 */
async function keptReleases(db: Kysely<RegistryTables>, { releases, since }: Keep): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select recent.number from (
      select number, at,
        row_number() over (partition by channel order by number desc) as recency,
        lead(at) over (partition by channel order by number) as followed_at,
        min(at) filter (where not as_candidate) over (
          partition by channel order by number desc rows between unbounded preceding and 1 preceding
        ) as replaced_at
      from registry.releases
    ) as recent
    left join registry.revocations on revocations.release = recent.number
    where recency <= ${releases}
      or recent.at > ${since} or followed_at > ${since} or replaced_at > ${since} or revocations.at > ${since}
    union select stable from registry.channels where stable is not null
    union select candidate from registry.channels where candidate is not null
  `.execute(db);
  return rows.map(({ number }) => number);
}

async function versionsOf(db: Kysely<RegistryTables>, releases: readonly number[]): Promise<VersionPair[]> {
  if (releases.length === 0) return [];
  const { rows } = await sql<{ app: string; version: string; last_good: string | null }>`
    select distinct app, version, last_good from registry.release_apps
    where release in (select value::integer from ${rowsOf(releases)})
  `.execute(db);
  return rows.flatMap(({ app, version, last_good }): VersionPair[] => [
    [app, version],
    ...(last_good === null ? [] : [[app, last_good] as const]),
  ]);
}

/** What a rollback without "to" would choose among, however long ago it was live. */
async function waysBack(db: Kysely<RegistryTables>): Promise<VersionPair[]> {
  const channels = await db.selectFrom('channels').select('name').execute();
  const pairs: VersionPair[] = [];
  for (const { name } of channels) {
    const apps = await appsEverLive(db, name);
    const former = await formerVersions(db, name, apps);
    for (const [app, versions] of former) {
      const newest = [...versions].sort((a, b) => b.since - a.since).slice(0, WAYS_BACK + 1);
      pairs.push(...newest.map(({ version }) => [app, version] as const));
    }
  }
  return pairs;
}

async function recentVersions(db: Kysely<RegistryTables>, since: Date): Promise<VersionPair[]> {
  const rows = await db
    .selectFrom('versions')
    .select(['app', 'version'])
    .where('published_at', '>', since)
    .execute();
  return rows.map(({ app, version }) => [app, version]);
}

async function previewedVersions(db: Kysely<RegistryTables>, now: Date): Promise<VersionPair[]> {
  const rows = await db
    .selectFrom('previews')
    .select(['app', 'version'])
    .where('expires_at', '>', now)
    .where('ended_at', 'is', null)
    .execute();
  return rows.flatMap(({ app, version }) => (version === null ? [] : [[app, version] as const]));
}

async function configsOf(db: Kysely<RegistryTables>, releases: readonly number[]): Promise<string[]> {
  if (releases.length === 0) return [];
  const { rows } = await sql<{ config_digest: string }>`
    select distinct config_digest from registry.releases
    where number in (select value::integer from ${rowsOf(releases)})
  `.execute(db);
  return rows.map(({ config_digest }) => config_digest);
}

/** A page stays when the shell, the remote and the configuration that it was rendered with all do. */
function unneededPages(versions: ReadonlySet<string>, configs: readonly string[]) {
  const named = sql`(select value from ${rowsOf([...versions])})`;
  return sql<boolean>`
    ('shell@' || shell_version not in ${named}
      or app || '@' || app_version not in ${named}
      or config_digest not in (select value from ${rowsOf(configs)}))`;
}
