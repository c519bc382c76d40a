import { sql, type RawBuilder } from 'kysely';
import { CONFIGURATION, MAX_REVOKED, type ChannelName } from '@site/contract';
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

/** A canary's release counts only if the canary changed the app. */
export function releasesWith(
  db: RegistryDb,
  channel: ChannelName,
  app: string,
  version: string,
): Promise<number[]> {
  return newestNumbers(
    db,
    sql`
      select release as number from registry.release_apps left join registry.canaries using (release)
      where release_apps.channel = ${channel} and release_apps.app = ${app} and version = ${version}
        and coalesce(canaries.app, ${app}) = ${app}`,
  );
}

export function releasesConfigured(
  db: RegistryDb,
  channel: ChannelName,
  configDigest: string,
): Promise<number[]> {
  return newestNumbers(
    db,
    sql`
      select number from registry.releases left join registry.canaries on canaries.release = number
      where releases.channel = ${channel} and config_digest = ${configDigest}
        and coalesce(canaries.app, ${CONFIGURATION}) = ${CONFIGURATION}`,
  );
}

export function releasesRetiring(db: RegistryDb, channel: ChannelName, app: string): Promise<number[]> {
  return newestNumbers(
    db,
    sql`
      select number from registry.releases
      where channel = ${channel} and not as_canary and retired -> ${app}::text is not null`,
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
