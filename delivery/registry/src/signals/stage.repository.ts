import { sql } from 'kysely';
import { basisPoints, releaseNumber, type CanaryShare, type ChannelName } from '@site/contract';
import type { Stages } from '@site/contract/registry-calls/channel.calls';
import type { Cell } from '@site/contract/signals/sums.schema';
import { joinNetworks, networksIn } from '../kernel/networks.ts';
import { MINUTE_MS } from '@site/server/durations';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';

export interface CanaryStages {
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
    .execute();
}

export async function listStages(db: RegistryDb, channel: ChannelName): Promise<CanaryStages[]> {
  const rows = await db
    .selectFrom('canary_stages')
    .selectAll()
    .where('channel', '=', channel)
    .orderBy('canary')
    .execute();
  return rows.map(
    ({ canary, shares, every_ms: everyMs, basis_points: basisPoints, since, views, visitors, says }) => {
      const networks = networksIn(visitors).length;
      return { canary, shares, everyMs, basisPoints, since, views, networks, says };
    },
  );
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

/** The views of a shell's canary cannot be told from those of a configuration's: meanwhile the latter waits. */
export async function addToStage(
  transaction: RegistryTransaction,
  channel: ChannelName,
  cells: readonly Cell[],
): Promise<void> {
  const seen = cells.filter(({ role, stretch }) => role === 'canary' && stretch === 'first');
  if (seen.length === 0) return;
  const { rows } = await sql<{
    canary: number;
    views: number;
    visitors: string;
    app: string;
    version: string | null;
  }>`
    select canary, views, visitors, canaries.app, release_apps.version
    from registry.canary_stages
    join registry.canaries on canaries.release = canary
    left join registry.release_apps on release_apps.release = canary and release_apps.app = canaries.app
    where canary_stages.channel = ${channel} and not (canaries.app = 'config' and exists (
      select from registry.canaries as shell
      where shell.channel = ${channel} and shell.app = 'shell' and shell.ended_at is null
    ))`.execute(transaction);
  for (const { canary, views, visitors, app, version } of rows) {
    const own = seen.filter((cell) =>
      // Every view includes the shell, so its cells count each view once.
      version === null ? cell.app === 'shell' : cell.app === app && cell.version === version,
    );
    if (own.length === 0) continue;
    await transaction
      .updateTable('canary_stages')
      .set({
        views: own.reduce((sum, cell) => sum + cell.views, views),
        visitors: joinNetworks([visitors, ...own.map((cell) => cell.visitors ?? '')]),
      })
      .where('canary', '=', canary)
      .execute();
  }
}
