import { sql, type RawBuilder } from 'kysely';
import { MAX_REVOKED, type ChannelName } from '@site/contract';
import type { RegistryDb } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';

export async function revokedAmong(db: RegistryDb, releases: readonly number[]): Promise<Set<number>> {
  if (releases.length === 0) return new Set();
  const rows = await db
    .selectFrom('revocations')
    .select('release')
    .where('release', 'in', releases)
    .execute();
  return new Set(rows.map(({ release }) => release));
}

export async function revokeReleases(
  { transaction, by, at }: ChangeContext,
  releases: readonly number[],
  { channel, reason }: { channel: ChannelName; reason: string },
): Promise<void> {
  if (releases.length === 0) return;
  await transaction
    .insertInto('revocations')
    .values(releases.map((release) => ({ release, channel, reason, by, at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function releasesWith(
  db: RegistryDb,
  channel: ChannelName,
  app: string,
  version: string,
): Promise<number[]> {
  return newestNumbers(
    db,
    sql`
      select release as number from registry.release_apps
      where channel = ${channel} and app = ${app} and version = ${version}`,
  );
}

export function releasesConfigured(
  db: RegistryDb,
  channel: ChannelName,
  configDigest: string,
): Promise<number[]> {
  return newestNumbers(
    db,
    sql`select number from registry.releases where channel = ${channel} and config_digest = ${configDigest}`,
  );
}

export function releasesRetiring(db: RegistryDb, channel: ChannelName, app: string): Promise<number[]> {
  return newestNumbers(
    db,
    sql`select number from registry.releases where channel = ${channel} and retired -> ${app}::text is not null`,
  );
}

/**
 * Limited to the number sent to followers; oldest first.
 * @param found a query with one column, `number`.
 */
export async function newestNumbers(db: RegistryDb, found: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select number from (${found} order by number desc limit ${MAX_REVOKED}) as newest order by number`.execute(
    db,
  );
  return rows.map(({ number }) => number);
}
