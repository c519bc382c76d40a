import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import { findRelease, newestNumbers, type StoredRelease } from './release.repository.ts';
import type { RegistryDb, RegistryTransaction } from './tables.ts';

/** Where a channel points, read at one moment. */
export interface ChannelSnapshot {
  channel: ChannelName;
  stable: StoredRelease | null;
  canary: Canary | null;
}

/** A running canary. Its release's parent is always the channel's stable release. */
export interface Canary extends StoredRelease {
  /** Of 10,000 visitors, those who see it. */
  basisPoints: number;
  /** The number of the release that it began with, before it was carried over to others. */
  first: number;
}

export async function findChannel(db: RegistryDb, channel: ChannelName): Promise<ChannelSnapshot> {
  const row = await db
    .selectFrom('channels')
    .selectAll()
    .where('name', '=', channel)
    .executeTakeFirstOrThrow();
  const { candidate, candidate_basis_points: basisPoints, candidate_first: first } = row;
  const stable = row.stable === null ? null : await findRelease(db, row.stable);
  const release = candidate === null ? null : await findRelease(db, candidate);
  const canary =
    release === null || basisPoints === null || first === null ? null : { ...release, basisPoints, first };
  return { channel, stable, canary };
}

/** Takes the channel for this transaction: anyone else who wants to move its pointers waits. */
export async function lockChannel(transaction: RegistryTransaction, channel: ChannelName) {
  return transaction
    .selectFrom('channels')
    .selectAll()
    .where('name', '=', channel)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Where a channel is to point; what is not named stays. */
export interface Pointers {
  stable?: number;
  candidate?: number | null;
  candidate_basis_points?: number | null;
  candidate_first?: number | null;
}

export async function movePointers(
  transaction: RegistryTransaction,
  channel: ChannelName,
  pointers: Pointers,
): Promise<void> {
  await transaction.updateTable('channels').set(pointers).where('name', '=', channel).execute();
}

/** The releases of the canary that began with `first`. A channel has one canary at a time. See `newestNumbers`. */
export function canaryReleases(db: RegistryDb, channel: ChannelName, first: number): Promise<number[]> {
  return newestNumbers(
    db,
    sql`select number from registry.releases where channel = ${channel} and as_candidate and number >= ${first}`,
  );
}
