import type { CanaryShare, ChannelName } from '@site/contract';
import { findRelease, findReleases, releaseId, type StoredRelease } from './release.repository.ts';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { toPercent } from '../signals/index.ts';

/** Read in one snapshot. */
export interface ChannelSnapshot {
  channel: ChannelName;
  live: StoredRelease | null;
  /** Oldest first. */
  canaries: readonly StoredCanary[];
}

/** A running canary: its release records its start, and only its app differs from the release's parent. */
export interface StoredCanary extends StoredRelease {
  app: CanaryShare['app'];
  basisPoints: number;
}

export async function findChannel(db: RegistryDb, channel: ChannelName): Promise<ChannelSnapshot> {
  const { live } = await db
    .selectFrom('channels')
    .select('live')
    .where('name', '=', channel)
    .executeTakeFirstOrThrow();
  const rows = await runningCanaries(db, channel);
  const releases = new Map(
    (await findReleases(db, [...(live === null ? [] : [live]), ...rows.map(({ release }) => release)])).map(
      (stored) => [stored.number, stored],
    ),
  );
  return {
    channel,
    live: (live !== null && releases.get(live)) || null,
    canaries: rows.flatMap(({ release, app, basis_points: basisPoints }) => {
      const stored = releases.get(release);
      return stored ? [{ ...stored, app, basisPoints }] : [];
    }),
  };
}

/** Running or ended. */
export async function findCanary(
  db: RegistryDb,
  channel: ChannelName,
  number: number,
): Promise<Omit<StoredCanary, 'basisPoints'> | null> {
  const row = await db
    .selectFrom('canaries')
    .select('app')
    .where('channel', '=', channel)
    .where('release', '=', number)
    .executeTakeFirst();
  const stored = row && (await findRelease(db, number));
  return stored ? { ...stored, app: row.app } : null;
}

export function runningCanaries(db: RegistryDb, channel: ChannelName) {
  return db
    .selectFrom('canaries')
    .selectAll()
    .where('channel', '=', channel)
    .where('ended_at', 'is', null)
    .orderBy('release')
    .execute();
}

export async function setLive(
  transaction: RegistryTransaction,
  channel: ChannelName,
  live: number,
): Promise<void> {
  await transaction.updateTable('channels').set({ live }).where('name', '=', channel).execute();
}

export async function insertCanary(
  { transaction }: ChangeContext,
  {
    channel,
    number,
    app,
    basisPoints,
  }: Omit<StoredCanary, 'release' | 'asCanary' | 'configDigest'> & {
    channel: ChannelName;
  },
): Promise<void> {
  await transaction
    .insertInto('canaries')
    .values({ release: number, channel, app, basis_points: basisPoints })
    .execute();
}

export async function updateCanary(
  { transaction }: ChangeContext,
  { number }: StoredCanary,
  change: { basis_points: number } | { ended_at: Date },
): Promise<void> {
  await transaction.updateTable('canaries').set(change).where('release', '=', number).execute();
}

export const canaryShare = ({
  number,
  app,
  basisPoints,
}: Omit<StoredCanary, keyof StoredRelease> & { number: number }): CanaryShare => ({
  release: releaseId(number),
  app,
  share: toPercent(basisPoints),
});
