import type { ChannelName } from '@site/contract';
import type { Overview } from '@site/contract/registry-calls/view.calls';
import { countHooks, listTroubles } from '../alerts/index.ts';
import {
  findChannel,
  type ChannelSnapshot,
  listFreezes,
  channelState,
  findRelease,
  findQuarantines,
} from '../channels/index.ts';
import { listEdges } from '../edges/index.ts';
import { listPolicies, showStages } from '../guard/index.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { listApps, appChanges } from '../versions/index.ts';
import { listOpenActions, listRecentActions, liveSince } from './view.repository.ts';
import { toPercent, readStandings } from '../signals/index.ts';
import { DAY_MS } from '@site/server/durations';
import { isReadOnly } from '@site/server/read-only';

export type Seen = Awaited<ReturnType<typeof readAll>>;

export async function readAll(
  db: RegistryDb,
  channel: ChannelName,
  at: Date,
  isMeant: (app: string) => boolean,
) {
  const snapshot = await findChannel(db, channel);
  const { live, canary } = snapshot;
  const shown = [live, canary].flatMap((one) =>
    Object.entries(one?.release.apps ?? {}).filter(([app]) => isMeant(app)),
  );
  return {
    snapshot,
    revision: (await channelState(db, channel)).revision,
    canary: await describeCanary(db, snapshot),
    apps: (await listApps(db)).filter(({ app }) => isMeant(app)),
    since: new Map((await liveSince(db, channel)).map((row) => [row.app, row])),
    quarantines: new Map((await findQuarantines(db, live?.release.apps ?? {})).map((row) => [row.app, row])),
    standings: await readStandings(db, channel, shown),
    freezes: await listFreezes(db, channel),
    policies: await listPolicies(db, channel),
    actions: await listOpenActions(db, channel),
    recent: (await listRecentActions(db, channel, new Date(at.getTime() - DAY_MS))).filter(({ app }) =>
      isMeant(app),
    ),
    troubles: await listTroubles(db),
    hooks: await countHooks(db),
    edges: await listEdges(db, channel),
    isReadOnly: await isReadOnly(db),
  };
}

async function describeCanary(
  db: RegistryDb,
  { channel, live, canary }: ChannelSnapshot,
): Promise<Overview['canary']> {
  const begun = canary && (await findRelease(db, canary.first));
  if (!canary || !begun) return null;
  const stages = await showStages(db, channel);
  return {
    release: canary.release.id,
    share: toPercent(canary.basisPoints),
    since: begun.release.at,
    by: begun.release.by,
    reason: canary.release.reason,
    apps: appChanges(live?.release.apps ?? {}, canary.release.apps),
    stages: stages && {
      shares: stages.shares,
      everyMinutes: stages.everyMinutes,
      since: stages.since,
      says: stages.says,
    },
  };
}
