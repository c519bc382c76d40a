import type { ChannelName } from '@site/contract';
import type {
  Fallback,
  GuardJudgement,
  GuardStages,
  HealthRow,
} from '@site/contract/registry-calls/guard.calls';
import {
  listJudgements,
  type Judgement,
  readSignals,
  type SignalsWanted,
  listStandings,
  listStages,
  toPercent,
  summarizeHealth,
  p75,
  onlyIn,
  type ByEngine,
  type JudgedSums,
  type PlacedSums,
  formatVerdict,
} from '../signals/index.ts';
import { findChannel, findLive, releaseId } from '../channels/index.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { MINUTE_MS } from '@site/server/durations';

export async function showHealth(
  db: RegistryDb,
  channel: ChannelName,
  wanted: SignalsWanted,
  now: Date,
): Promise<HealthRow[]> {
  const judgements = await listJudgements(db, channel);
  const sums = await readSignals(db, channel, wanted, now);
  return sums
    .map((row) => healthRow(row, judgements))
    .toSorted((a, b) => compare(a.app, b.app) || compare(a.route, b.route) || compare(a.version, b.version));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function healthRow(
  { app, version, route, role, sums }: PlacedSums,
  judgements: readonly Judgement[],
): HealthRow {
  const { views, faults, forms, lcp, inp } = summarizeHealth([sums]);
  const judged = judgements.find((judgement) => judgement.app === app && judgement.version === version);
  return {
    app,
    version,
    route,
    canary: role === 'canary',
    views,
    faults,
    onlyIn: onlyIn(
      perEngine(sums, ({ first, later }) => first.faults + later.faults),
      perEngine(sums, ({ first }) => first.views),
    ),
    forms,
    p75: { lcp, inp, cls: thousandth(p75([sums], 'cls')) },
    verdict: judged?.verdict.is ?? null,
  };
}

function perEngine(sums: PlacedSums['sums'], of: (own: JudgedSums) => number): ByEngine<number> {
  return Object.fromEntries(Object.entries(sums.engines ?? {}).map(([engine, own]) => [engine, of(own)]));
}

const thousandth = (value: number | null) => (value === null ? null : value / 1000);

export async function showJudgements(db: RegistryDb, channel: ChannelName): Promise<GuardJudgement[]> {
  const judgements = await listJudgements(db, channel);
  return Promise.all(
    judgements.map(async (judgement) => {
      const { app, version, control, subject, isCanary, verdict, since } = judgement;
      return {
        app,
        version,
        control,
        release: releaseId(subject),
        canary: isCanary,
        verdict: verdict.is,
        since: since.toISOString(),
        says: await formatVerdict(db, channel, judgement),
      };
    }),
  );
}

export async function showStages(db: RegistryDb, channel: ChannelName): Promise<GuardStages[]> {
  const { canaries } = await findChannel(db, channel);
  return (await listStages(db, channel)).flatMap((stages) => {
    const canary = canaries.find(({ number }) => number === stages.canary);
    if (!canary) return [];
    const share = toPercent(stages.basisPoints);
    return [
      {
        release: releaseId(stages.canary),
        app: canary.app,
        shares: stages.shares.filter((each) => each > share),
        everyMinutes: stages.everyMs / MINUTE_MS,
        share,
        since: stages.since.toISOString(),
        says: stages.says,
      },
    ];
  });
}

export async function showFallbacks(db: RegistryDb, channel: ChannelName): Promise<Fallback[]> {
  const live = await findLive(db, channel);
  const versions = Object.entries(live?.release.lastGood ?? {});
  const standings = await listStandings(db, channel, versions);
  return versions.map(([app, version]) => ({
    app,
    version,
    proven: standings.find((standing) => standing.app === app)?.evidence ?? null,
  }));
}
