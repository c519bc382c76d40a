import { sql, type Selectable } from 'kysely';
import type { ChannelName } from '@site/contract';
import { versionRows } from '../kernel/json-rows.ts';
import type { RegistryDb, RegistryTables } from '../kernel/tables.ts';
import { type VersionPair, versionName } from '../versions/index.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import type { Standing } from '@site/contract/registry-calls/guard.calls';
import { listJudgements } from './judgement.repository.ts';

export type StandingRow = Omit<Selectable<RegistryTables['version_standings']>, 'channel'>;

export async function noteStanding(
  db: RegistryDb,
  channel: ChannelName,
  { app, version, views, evidence, at }: StandingRow,
): Promise<void> {
  await sql`
    insert into registry.version_standings (channel, app, version, views, evidence, at)
    select ${channel}, ${app}, ${version}, ${views}::integer, ${evidence}, ${at}::timestamptz
    where not exists (select from registry.quarantines where app = ${app} and version = ${version})
    on conflict do nothing`.execute(db);
}

/** A bad version is not proven on any channel. */
export async function dropAllStandings(
  { transaction }: ChangeContext,
  { app, version }: Pick<StandingRow, 'app' | 'version'>,
): Promise<void> {
  await transaction
    .deleteFrom('version_standings')
    .where(({ and }) => and({ app, version }))
    .execute();
}

export async function dropStanding(
  db: RegistryDb,
  channel: ChannelName,
  { app, version }: Pick<StandingRow, 'app' | 'version'>,
): Promise<void> {
  await db
    .deleteFrom('version_standings')
    .where(({ and }) => and({ channel, app, version }))
    .execute();
}

export function findStanding(
  db: RegistryDb,
  channel: ChannelName,
  { app, version }: Pick<StandingRow, 'app' | 'version'>,
): Promise<StandingRow | undefined> {
  return db
    .selectFrom('version_standings')
    .select(['app', 'version', 'views', 'evidence', 'at'])
    .where(({ and }) => and({ channel, app, version }))
    .executeTakeFirst();
}

export async function listStandings(
  db: RegistryDb,
  channel: ChannelName,
  versions: Iterable<VersionPair>,
): Promise<Pick<StandingRow, 'app' | 'version' | 'evidence' | 'at'>[]> {
  const { rows } = await sql<Pick<StandingRow, 'app' | 'version' | 'evidence' | 'at'>>`
    select app, version, evidence, at from registry.version_standings
    join ${versionRows(versions)} using (app, version)
    where channel = ${channel}`.execute(db);
  return rows;
}

export async function readStandings(
  db: RegistryDb,
  channel: ChannelName,
  versions: readonly VersionPair[],
): Promise<ReadonlyMap<string, Standing>> {
  const found = new Map<string, Standing>();
  if (versions.length === 0) return found;
  for (const { app, version, evidence, at } of await listStandings(db, channel, versions)) {
    found.set(versionName(app, version), { verdict: 'good', since: at.toISOString(), proven: evidence });
  }
  for (const { app, version, verdict, since } of await listJudgements(db, channel)) {
    const name = versionName(app, version);
    const proven = found.get(name)?.proven ?? null;
    // "waiting" does not override an earlier result.
    if (verdict.is === 'waiting' && proven !== null) continue;
    found.set(name, {
      verdict: verdict.is,
      since: since.toISOString(),
      proven: verdict.is === 'bad' ? null : proven,
    });
  }
  return found;
}
