import type { ChannelName } from '@site/contract';
import type { RunningCanary } from '@site/contract/registry-calls/view.calls';
import { countHooks, listTroubles } from '../alerts/index.ts';
import {
  findChannel,
  type ChannelSnapshot,
  listFreezes,
  channelState,
  canaryShare,
  canaryVersion,
  findQuarantines,
} from '../channels/index.ts';
import { listEdges } from '../edges/index.ts';
import { listPolicies, showStages } from '../guard/index.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { listApps, type VersionPair } from '../versions/index.ts';
import { listOpenActions, listRecentActions, liveSince } from './view.repository.ts';
import { readStandings } from '../signals/index.ts';
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
  const { live } = snapshot;
  const canaries = (await describeCanaries(db, snapshot)).filter(({ app }) => isMeant(app));
  const shown = [
    ...Object.entries(live?.release.apps ?? {}).filter(([app]) => isMeant(app)),
    ...canaries.flatMap(({ app, version }): VersionPair[] => (version === null ? [] : [[app, version]])),
  ];
  return {
    snapshot,
    revision: (await channelState(db, channel)).revision,
    canaries,
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

async function describeCanaries(
  db: RegistryDb,
  { channel, canaries }: ChannelSnapshot,
): Promise<RunningCanary[]> {
  const staged = new Map((await showStages(db, channel)).map(({ release, ...stages }) => [release, stages]));
  return canaries.map((canary) => {
    const { id, at, by, reason } = canary.release;
    const stages = staged.get(id);
    return {
      ...canaryShare(canary),
      version: canaryVersion(canary) ?? null,
      since: at,
      by,
      reason,
      stages: stages
        ? {
            shares: stages.shares,
            everyMinutes: stages.everyMinutes,
            since: stages.since,
            says: stages.says,
          }
        : null,
    };
  });
}
