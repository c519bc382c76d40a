import { sql } from 'kysely';
import type { AppChange, ChannelName, Release, SiteConfig } from '@site/contract';
import { type AuthorFields, pickAuthorFields } from '@site/contract/author-fields';
import type { AppSet, LiveSet } from '../versions/index.ts';
import { insertAppChanges, listRetirements } from './live-version.repository.ts';
import { revokedAmong } from './revocation.repository.ts';
import { jsonRows } from '../kernel/json-rows.ts';
import { releaseDigest } from '../kernel/release-digest.ts';
import type { RegistryDb, RegistryTransaction, ReleaseRow } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';

export interface NewRelease extends ReleasePlan {
  channel: ChannelName;
  lastGood: AppSet;
  configDigest: string;
  parent: number | null;
  asCanary: boolean;
}

export interface StoredRelease {
  number: number;
  configDigest: string;
  asCanary: boolean;
  release: Release;
}

export const releaseId = (number: number) => `r${number}`;

export async function findDigest(
  db: RegistryDb,
  { number }: Pick<StoredRelease, 'number'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ digest: string | null }>`
    select ${releaseDigest(sql`${number}::integer`)} as digest`.execute(db);
  return rows[0]?.digest ?? undefined;
}

export async function findRelease(db: RegistryDb, number: number): Promise<StoredRelease | null> {
  // A larger number exceeds the column's type.
  if (number > 2_147_483_647) return null;
  return (await findReleases(db, [number]))[0] ?? null;
}

export async function findReleases(db: RegistryDb, numbers: readonly number[]): Promise<StoredRelease[]> {
  if (numbers.length === 0) return [];
  return withApps(db, await db.selectFrom('releases').selectAll().where('number', 'in', numbers).execute());
}

export async function findLive(db: RegistryDb, channel: ChannelName): Promise<StoredRelease | null> {
  const { live } = await db
    .selectFrom('channels')
    .select('live')
    .where('name', '=', channel)
    .executeTakeFirstOrThrow();
  return live === null ? null : findRelease(db, live);
}

export async function listReleases(
  db: RegistryDb,
  channel: ChannelName,
  { limit, before, app }: { limit: number; before: number; app?: string | undefined },
) {
  const rows = await db
    .selectFrom('releases')
    .selectAll('releases')
    .where('releases.channel', '=', channel)
    .where('number', '<', before)
    .$if(app !== undefined, (query) =>
      query.where(
        'number',
        'in',
        db
          .selectFrom('app_changes')
          .select('release')
          .where('channel', '=', channel)
          .where('app', '=', app ?? '')
          .where('release', '<', before)
          .orderBy('release', 'desc')
          .limit(limit),
      ),
    )
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
  const numbers = rows.map(({ number }) => number);
  const revoked = await revokedAmong(db, numbers);
  const changes = await findChanges(db, numbers);
  const retirements = await listRetirements(db, numbers);
  const releases = await withApps(db, rows);
  return releases.map((stored) => ({
    ...stored,
    isRevoked: revoked.has(stored.number),
    changes: changes.get(stored.number) ?? [],
    retirements: retirements.get(stored.number) ?? [],
  }));
}

async function findChanges(db: RegistryDb, releases: readonly number[]): Promise<Map<number, AppChange[]>> {
  const { rows } = await sql<AppChange & { release: number }>`
    select changed.release, changed.app, before.version as "from", now.version as "to"
    from registry.app_changes as changed
    join registry.releases on releases.number = changed.release
    left join registry.release_apps as now on now.release = changed.release and now.app = changed.app
    left join registry.release_apps as before on before.release = releases.parent and before.app = changed.app
    where changed.release in (select value::integer from ${jsonRows(releases)})
      and now.version is distinct from before.version
    order by changed.release, changed.app
  `.execute(db);
  const byRelease = new Map<number, AppChange[]>();
  for (const { release, ...change } of rows) {
    const known = byRelease.get(release);
    if (known) known.push(change);
    else byRelease.set(release, [change]);
  }
  return byRelease;
}

async function withApps(db: RegistryDb, rows: ReleaseRow[]): Promise<StoredRelease[]> {
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
  const byRelease = new Map(rows.map(({ number }) => [number, [] as typeof members]));
  for (const member of members) byRelease.get(member.release)?.push(member);
  return rows.map((row) => {
    const own = byRelease.get(row.number) ?? [];
    return {
      number: row.number,
      configDigest: row.config_digest,
      asCanary: row.as_canary,
      release: {
        id: releaseId(row.number),
        channel: row.channel,
        kind: row.kind,
        apps: Object.fromEntries(own.map(({ app, version }) => [app, version])),
        lastGood: Object.fromEntries(
          own.flatMap(({ app, last_good }) => (last_good === null ? [] : [[app, last_good]])),
        ),
        ...(Object.keys(row.left_out).length > 0 ? { leftOut: row.left_out } : {}),
        ...(Object.keys(row.retired).length > 0 ? { retired: row.retired } : {}),
        config: row.config,
        by: row.by,
        ...pickAuthorFields(row),
        at: row.at.toISOString(),
        parent: row.parent === null ? null : releaseId(row.parent),
      },
    };
  });
}

/** The caller moves the channel's pointer in the same transaction. */
export async function insertRelease(
  { transaction, by, at }: ChangeContext,
  {
    channel,
    kind,
    apps,
    leftOut,
    retired,
    lastGood,
    config,
    configDigest,
    said,
    parent,
    asCanary,
  }: NewRelease,
): Promise<StoredRelease> {
  const row = await transaction
    .insertInto('releases')
    .values({
      number: await nextNumber(transaction),
      channel,
      kind,
      as_canary: asCanary,
      left_out: JSON.stringify(leftOut),
      retired: JSON.stringify(retired),
      config: JSON.stringify(config),
      config_digest: configDigest,
      by,
      ...said,
      at,
      parent,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const members = Object.entries(apps).map(([app, version]) => ({
    app,
    version,
    last_good: lastGood[app] ?? null,
  }));
  // A single parameter, because statements limit the number of parameters and a site may have more apps.
  await sql`
    insert into registry.release_apps (release, channel, app, version, last_good)
    select ${row.number}, ${channel}, app, version, last_good
    from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as members (app text, version text, last_good text)
  `.execute(transaction);
  await insertAppChanges(transaction, row);
  const [stored] = await withApps(transaction, [row]);
  if (!stored) throw new Error(`The release ${row.number} was not stored.`);
  return stored;
}

/** Numbers are consecutive: a rolled-back change also releases its number. */
async function nextNumber(transaction: RegistryTransaction): Promise<number> {
  const { number } = await transaction
    .updateTable('release_head')
    .set(({ eb }) => ({ number: eb('number', '+', 1) }))
    .where('id', '=', 1)
    .returning('number')
    .executeTakeFirstOrThrow();
  return number;
}

/**
 * The newest live release with each configuration, and whether that was rolled back since. Derived from the releases,
 * because revocations also happen because of a version, and cover only the newest releases.
 */
function formerConfigs(channel: ChannelName) {
  return sql<{ number: number; config_digest: string; found_bad: boolean }>`
    select lived.number, lived.config_digest, coalesce(rolled_back.number > lived.number, false) as found_bad
    from (
      select config_digest, max(number) as number from registry.releases
      where channel = ${channel} and not as_canary group by config_digest
    ) as lived
    left join (
      select former.config_digest, max(made.number) as number
      from registry.releases as made join registry.releases as former on former.number = made.parent
      where made.channel = ${channel} and made.kind = 'rollback' and not made.as_canary
        and made.config_digest <> former.config_digest
      group by former.config_digest
    ) as rolled_back on rolled_back.config_digest = lived.config_digest`;
}

export async function findOtherConfig(
  db: RegistryDb,
  channel: ChannelName,
  { number, configDigest }: StoredRelease,
): Promise<StoredRelease | null> {
  const { rows } = await sql<{ number: number }>`
    select number from (${formerConfigs(channel)}) as former
    where number < ${number} and config_digest <> ${configDigest} and not found_bad
    order by number desc limit 1`.execute(db);
  return rows[0] ? findRelease(db, rows[0].number) : null;
}

export async function configStanding(
  db: RegistryDb,
  channel: ChannelName,
  configDigest: string,
): Promise<{ wasLive: boolean; foundBad: boolean }> {
  const { rows } = await sql<{ found_bad: boolean }>`
    select found_bad from (${formerConfigs(channel)}) as former where config_digest = ${configDigest}`.execute(
    db,
  );
  return { wasLive: rows.length > 0, foundBad: rows[0]?.found_bad ?? false };
}

/**
 * Gap in release numbers after a loss of later ones, which edges may still serve. It assumes less than one release per
 * second, so it also covers a second restore of the same backup.
 */
export function releaseGap(now: Date, lostSince: Date): number {
  return 100_000 + Math.max(0, Math.ceil((now.getTime() - lostSince.getTime()) / 1000));
}

/**
 * Edges may know the skipped numbers from lost releases.
 * @returns whether the counter now has the expected value.
 */
export async function skipReleases(transaction: RegistryTransaction, gap: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('release_head')
    .set(({ eb }) => ({ number: eb('number', '+', gap) }))
    .where('number', '>=', ({ selectFrom, fn }) =>
      selectFrom('releases').select(fn.coalesce(fn.max('number'), sql<number>`0`).as('newest')),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The author's decisions. The rest is derived when the release is made. */
export interface ReleasePlan extends LiveSet {
  kind: Release['kind'];
  config: SiteConfig;
  said: AuthorFields;
}
