import { basisPoints, releaseNumber, type CanaryShare, type ChannelName } from '@site/contract';
import type { Stages } from '@site/contract/registry-calls/channel.calls';
import type { Cell } from '@site/contract/signals/sums.schema';
import { joinNetworks, networksIn } from '../kernel/networks.ts';
import { MINUTE_MS } from '@site/server/durations';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';

export interface CanaryStages {
  /** Its initial release. */
  canary: number;
  shares: number[];
  everyMs: number;
  basisPoints: number;
  since: Date;
  views: number;
  networks: number;
  says: string;
}

const nothingYet = { views: 0, visitors: '' };

/** A channel has one canary at a time. */
export async function beginStages(
  { transaction, at }: ChangeContext,
  channel: ChannelName,
  { release, share }: CanaryShare,
  { shares, everyMinutes }: Stages,
): Promise<void> {
  const begun = {
    canary: releaseNumber(release),
    shares: JSON.stringify(shares),
    every_ms: everyMinutes * MINUTE_MS,
    basis_points: basisPoints(share),
    since: at,
    ...nothingYet,
    says: 'it has begun',
  };
  await transaction
    .insertInto('canary_stages')
    .values({ channel, ...begun })
    .onConflict((conflict) => conflict.column('channel').doUpdateSet(begun))
    .execute();
}

export async function findStages(db: RegistryDb, channel: ChannelName): Promise<CanaryStages | null> {
  const row = await db
    .selectFrom('canary_stages')
    .selectAll()
    .where('channel', '=', channel)
    .executeTakeFirst();
  if (!row) return null;
  const { canary, shares, every_ms, basis_points, since, views, visitors, says } = row;
  const networks = networksIn(visitors).length;
  return { canary, shares, everyMs: every_ms, basisPoints: basis_points, since, views, networks, says };
}

/** Matches the stage only if unchanged since it was read. */
type StageRead = Pick<CanaryStages, 'canary' | 'basisPoints' | 'since'>;

export async function moveStage(
  db: RegistryDb,
  channel: ChannelName,
  read: StageRead,
  { basisPoints: share, since, says }: Pick<CanaryStages, 'basisPoints' | 'since' | 'says'>,
): Promise<boolean> {
  const moved = await stageAsRead(db, channel, read)
    .set({ basis_points: share, since, says, ...nothingYet })
    .returning('canary')
    .executeTakeFirst();
  return moved !== undefined;
}

export async function noteStage(
  db: RegistryDb,
  channel: ChannelName,
  read: StageRead,
  says: string,
): Promise<void> {
  await stageAsRead(db, channel, read).set({ says }).execute();
}

function stageAsRead(db: RegistryDb, channel: ChannelName, { canary, basisPoints: share, since }: StageRead) {
  return db
    .updateTable('canary_stages')
    .where(({ and }) => and({ channel, canary, basis_points: share, since }));
}

export async function endStages(db: RegistryDb, channel: ChannelName, canary: number): Promise<void> {
  await db.deleteFrom('canary_stages').where('channel', '=', channel).where('canary', '=', canary).execute();
}

export async function addToStage(
  transaction: RegistryTransaction,
  channel: ChannelName,
  cells: readonly Cell[],
): Promise<void> {
  // Every view includes the shell, so its cells count each view once.
  const seen = cells.filter(
    ({ role, app, stretch }) => role === 'canary' && app === 'shell' && stretch === 'first',
  );
  if (seen.length === 0) return;
  const row = await transaction
    .selectFrom('canary_stages')
    .select(['views', 'visitors'])
    .where('channel', '=', channel)
    .executeTakeFirst();
  if (!row) return;
  await transaction
    .updateTable('canary_stages')
    .set({
      views: seen.reduce((sum, { views }) => sum + views, row.views),
      visitors: joinNetworks([row.visitors, ...seen.map(({ visitors = '' }) => visitors)]),
    })
    .where('channel', '=', channel)
    .execute();
}
