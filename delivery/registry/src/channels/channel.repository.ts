import { sql, type Updateable } from 'kysely';
import type { ChannelName } from '@site/contract';
import { findRelease, type StoredRelease } from './release.repository.ts';
import { newestNumbers } from './revocation.repository.ts';
import type { RegistryDb, RegistryTables, RegistryTransaction } from '../kernel/tables.ts';

/** Read in one snapshot. */
export interface ChannelSnapshot {
  channel: ChannelName;
  live: StoredRelease | null;
  canary: StoredCanary | null;
}

/** Its release's parent is always the channel's live release. */
export interface StoredCanary extends StoredRelease {
  basisPoints: number;
  first: number;
}

export async function findChannel(db: RegistryDb, channel: ChannelName): Promise<ChannelSnapshot> {
  const row = await db
    .selectFrom('channels')
    .selectAll()
    .where('name', '=', channel)
    .executeTakeFirstOrThrow();
  const { canary_basis_points: basisPoints, canary_first: first } = row;
  const live = row.live === null ? null : await findRelease(db, row.live);
  const release = row.canary === null ? null : await findRelease(db, row.canary);
  const canary =
    release === null || basisPoints === null || first === null ? null : { ...release, basisPoints, first };
  return { channel, live, canary };
}

/** Omitted pointers are unchanged. */
export async function movePointers(
  transaction: RegistryTransaction,
  channel: ChannelName,
  pointers: Omit<Updateable<RegistryTables['channels']>, 'name'>,
): Promise<void> {
  await transaction.updateTable('channels').set(pointers).where('name', '=', channel).execute();
}

/** A channel has one canary at a time. See `newestNumbers`. */
export function listCanaryReleases(db: RegistryDb, channel: ChannelName, first: number): Promise<number[]> {
  return newestNumbers(
    db,
    sql`select number from registry.releases where channel = ${channel} and as_canary and number >= ${first}`,
  );
}
