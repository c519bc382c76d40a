import { sql, type Kysely, type Transaction } from 'kysely';
import type { ChannelName, ChannelState, Release } from '@site/contract';
import type { AppSet } from '../domain/app-set.ts';
import type { LiveSpan } from '../domain/last-good.ts';
import { rowsOf } from './rows-of.ts';
import type { RegistryTables, ReleaseRow } from './tables.ts';

export interface NewRelease {
  channel: ChannelName;
  kind: Release['kind'];
  apps: AppSet;
  lastGood: AppSet;
  config: Release['config'];
  configDigest: string;
  by: string;
  reason: string;
  at: Date;
  parent: number | null;
  /** Made for a canary: its versions do not count as "live before". */
  asCandidate: boolean;
}

/** A release, and the number behind its id. */
export interface StoredRelease {
  number: number;
  configDigest: string;
  asCandidate: boolean;
  release: Release;
}

export const releaseId = (number: number) => `r${number}`;
export const releaseNumber = (id: string) => Number(id.slice(1));

export async function findRelease(db: Kysely<RegistryTables>, number: number): Promise<StoredRelease | null> {
  // A larger number cannot be a release, and is none that the column's type can hold.
  if (number > 2_147_483_647) return null;
  const row = await db.selectFrom('releases').selectAll().where('number', '=', number).executeTakeFirst();
  return row ? ((await withApps(db, [row]))[0] ?? null) : null;
}

/** The stable release of a channel, or null before its first one. */
export async function findStable(
  db: Kysely<RegistryTables>,
  channel: ChannelName,
): Promise<StoredRelease | null> {
  const { stable } = await db
    .selectFrom('channels')
    .select('stable')
    .where('name', '=', channel)
    .executeTakeFirstOrThrow();
  return stable === null ? null : findRelease(db, stable);
}

/** The releases of a channel, newest first; with `app` only those in which that app's version changed. */
export async function listReleases(
  db: Kysely<RegistryTables>,
  channel: ChannelName,
  { limit, app }: { limit: number; app?: string | undefined },
) {
  const rows = await db
    .selectFrom('releases')
    .selectAll('releases')
    .where('channel', '=', channel)
    .$if(app !== undefined, (query) =>
      query.where(({ exists, selectFrom, ref }) =>
        exists(
          selectFrom('release_apps as now')
            .leftJoin('release_apps as before', (join) =>
              join.onRef('before.app', '=', 'now.app').onRef('before.release', '=', ref('releases.parent')),
            )
            .select('now.app')
            .whereRef('now.release', '=', 'releases.number')
            .where('now.app', '=', app ?? '')
            .where((or) =>
              or.or([or('before.version', 'is', null), or('before.version', '!=', or.ref('now.version'))]),
            ),
        ),
      ),
    )
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
  const revoked = new Set(await revokedReleases(db, channel));
  const releases = await withApps(db, rows);
  return releases.map((stored) => ({ ...stored, isRevoked: revoked.has(stored.number) }));
}

async function withApps(db: Kysely<RegistryTables>, rows: ReleaseRow[]): Promise<StoredRelease[]> {
  if (rows.length === 0) return [];
  const members = await db
    .selectFrom('release_apps')
    .selectAll()
    .where(
      'release',
      'in',
      rows.map(({ number }) => number),
    )
    .orderBy('app')
    .execute();
  return rows.map((row) => {
    const own = members.filter(({ release }) => release === row.number);
    return {
      number: row.number,
      configDigest: row.config_digest,
      asCandidate: row.as_candidate,
      release: {
        id: releaseId(row.number),
        channel: row.channel,
        kind: row.kind,
        apps: Object.fromEntries(own.map(({ app, version }) => [app, version])),
        lastGood: Object.fromEntries(
          own.flatMap(({ app, last_good }) => (last_good === null ? [] : [[app, last_good]])),
        ),
        config: row.config,
        by: row.by,
        reason: row.reason,
        at: row.at.toISOString(),
        parent: row.parent === null ? null : releaseId(row.parent),
      },
    };
  });
}

/** What a channel's followers are told. */
export interface ToldState {
  state: ChannelState;
  /** Of two states that with the larger number is the newer one. */
  revision: number;
}

/**
 * Read with one query, so that pointers and revocations are of one moment. The end of the audit log tells which: every
 * change of a channel takes it, and ends with an entry.
 */
export async function channelState(db: Kysely<RegistryTables>, channel: ChannelName): Promise<ToldState> {
  const row = await db
    .selectFrom('channels')
    .select(['stable', 'candidate', 'candidate_basis_points'])
    .select(
      sql<number[]>`(
        select coalesce(jsonb_agg(revocations.release order by revocations.release), '[]')
        from registry.revocations join registry.releases on releases.number = revocations.release
        where releases.channel = ${channel}
      )`.as('revoked'),
    )
    .select(sql<number>`(select sequence from registry.audit_head)`.as('revision'))
    .where('name', '=', channel)
    .executeTakeFirstOrThrow();
  return {
    revision: row.revision,
    state: {
      channel,
      stable: row.stable === null ? null : releaseId(row.stable),
      candidate:
        row.candidate === null || row.candidate_basis_points === null
          ? null
          : { release: releaseId(row.candidate), share: row.candidate_basis_points / 100 },
      revoked: row.revoked.map(releaseId),
    },
  };
}

async function revokedReleases(db: Kysely<RegistryTables>, channel: ChannelName): Promise<number[]> {
  const rows = await db
    .selectFrom('revocations')
    .innerJoin('releases', 'releases.number', 'revocations.release')
    .select('revocations.release')
    .where('releases.channel', '=', channel)
    .orderBy('revocations.release')
    .execute();
  return rows.map(({ release }) => release);
}

/** Appends a release. Whoever calls moves the channel's pointer in the same transaction. */
export async function insertRelease(
  transaction: Transaction<RegistryTables>,
  { channel, kind, apps, lastGood, config, configDigest, by, reason, at, parent, asCandidate }: NewRelease,
): Promise<StoredRelease> {
  const row = await transaction
    .insertInto('releases')
    .values({
      number: await nextNumber(transaction),
      channel,
      kind,
      as_candidate: asCandidate,
      config: JSON.stringify(config),
      config_digest: configDigest,
      by,
      reason,
      at,
      parent,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('release_apps')
    .values(
      Object.entries(apps).map(([app, version]) => ({
        release: row.number,
        app,
        version,
        last_good: lastGood[app] ?? null,
      })),
    )
    .execute();
  const [stored] = await withApps(transaction, [row]);
  if (!stored) throw new Error(`The release ${row.number} was not stored.`);
  return stored;
}

/** One after the other, without gaps: a change that is taken back gives its number back, too. */
async function nextNumber(transaction: Transaction<RegistryTables>): Promise<number> {
  const { number } = await transaction
    .updateTable('release_head')
    .set(({ eb }) => ({ number: eb('number', '+', 1) }))
    .where('id', '=', 1)
    .returning('number')
    .executeTakeFirstOrThrow();
  return number;
}

/** Open tabs leave these releases at their next navigation. */
export async function revokeReleases(
  transaction: Transaction<RegistryTables>,
  releases: readonly number[],
  { reason, by, at }: { reason: string; by: string; at: Date },
): Promise<void> {
  if (releases.length === 0) return;
  await transaction
    .insertInto('revocations')
    .values(releases.map((release) => ({ release, reason, by, at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * For each app, its versions that stood in a stable release of the channel and are not quarantined: at most the ten
 * that were live most recently.
 */
export async function formerVersions(
  db: Kysely<RegistryTables>,
  channel: ChannelName,
): Promise<Map<string, LiveSpan[]>> {
  const { rows } = await sql<LiveSpan & { app: string }>`
    select spans.app, spans.version, spans.last_release as "lastRelease"
    from (
      select app, version, max(release) as last_release,
             row_number() over (partition by app order by max(release) desc) as recency
      from registry.release_apps
      join registry.releases on releases.number = release_apps.release
      where releases.channel = ${channel} and not releases.as_candidate
        and not exists (
          select from registry.quarantines
          where quarantines.app = release_apps.app and quarantines.version = release_apps.version
        )
      group by app, version
    ) as spans
    join registry.versions on versions.app = spans.app and versions.version = spans.version
    where spans.recency <= 10 and versions.collected_at is null
  `.execute(db);
  const byApp = new Map<string, LiveSpan[]>();
  for (const { app, ...former } of rows) byApp.set(app, [...(byApp.get(app) ?? []), former]);
  return byApp;
}

/** Whether a version ever stood in a stable release of the channel, quarantined by now or not. */
export async function wasLive(
  db: Kysely<RegistryTables>,
  channel: ChannelName,
  app: string,
  version: string,
): Promise<boolean> {
  const found = await holding(db, channel, app, version)
    .where('releases.as_candidate', '=', false)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Those of an app's versions that were quarantined after they last went live on the channel. A quarantine that was lifted
 * leaves no row, but the log remembers it.
 */
export async function foundBadSince(
  db: Kysely<RegistryTables>,
  channel: ChannelName,
  app: string,
  versions: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ version: string }>`
    select value as version from ${rowsOf(versions)}
    where exists (
      select from registry.audit_events as judged
      where judged.action = 'version.quarantined' and judged.subject = ${app} || '@' || value
        and judged.sequence > (
          select coalesce(max(live.sequence), 0) from registry.audit_events as live
          where live.action like 'release.%' and live.details->>'channel' = ${channel}
            and live.details->'changes' @> jsonb_build_array(jsonb_build_object('app', ${app}::text, 'to', value))
        )
    )
  `.execute(db);
  return new Set(rows.map(({ version }) => version));
}

/** Every release of the channel, stable or candidate, that holds a version. */
export async function releasesWith(
  db: Kysely<RegistryTables>,
  channel: ChannelName,
  app: string,
  version: string,
): Promise<number[]> {
  const rows = await holding(db, channel, app, version).orderBy('releases.number').execute();
  return rows.map(({ number }) => number);
}

/** Selects the numbers of the channel's releases that hold a version. */
function holding(db: Kysely<RegistryTables>, channel: ChannelName, app: string, version: string) {
  return db
    .selectFrom('release_apps')
    .innerJoin('releases', 'releases.number', 'release_apps.release')
    .select('releases.number')
    .where('releases.channel', '=', channel)
    .where('release_apps.app', '=', app)
    .where('release_apps.version', '=', version);
}
