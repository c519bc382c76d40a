import { ApiError } from '@site/server/api-error';
import type { ChannelName } from '@site/contract';
import { nextStep, type Step } from '@site/guard/stages';
import type { Verdict } from '@site/guard/verdict';
import { findChannel, releaseId, changeShare, promoteCanary, type StoredCanary } from '../channels/index.ts';
import { atOneMoment } from '../kernel/in-transaction.ts';
import {
  listJudgements,
  endStages,
  listStages,
  moveStage,
  noteStage,
  type CanaryStages,
  toPercent,
} from '../signals/index.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { asGuard, Superseded } from './as-guard.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { forEachSettled } from '../kernel/scheduling.ts';

/**
 * Each stage starts once, in the change that raises the share. @param onProblem receives errors of secondary work.
 */
export async function raiseCanaries(
  context: RegistryContext,
  channel: ChannelName,
  onProblem: (error: unknown) => void,
): Promise<void> {
  // One snapshot: between two reads, another registry may raise the share and its stage.
  const { stages, canaries } = await atOneMoment(context.db, async (moment) => ({
    stages: await listStages(moment, channel),
    canaries: (await findChannel(moment, channel)).canaries,
  }));
  await forEachSettled(stages, async (each) => {
    const canary = canaries.find(({ number }) => number === each.canary);
    await (canary
      ? raiseCanary(context, channel, { stages: each, canary }, onProblem)
      : endStages(context.db, channel, each.canary));
  });
}

async function raiseCanary(
  context: RegistryContext,
  channel: ChannelName,
  { stages, canary }: { stages: CanaryStages; canary: StoredCanary },
  onProblem: (error: unknown) => void,
): Promise<void> {
  const { db, now } = context;
  if (canary.basisPoints !== stages.basisPoints) {
    // A manual change of the share restarts the stage's time.
    const says = `a person has set the share to ${toPercent(canary.basisPoints)} %`;
    await moveStage(db, channel, stages, { basisPoints: canary.basisPoints, since: now(), says });
    return;
  }
  const step = await findStep(db, channel, stages, now());
  if (step.do === 'raise') await raise(context, channel, { stages, part: step.part }, onProblem);
  else if (step.do !== 'nothing' && step.why !== stages.says) {
    await noteStage(db, channel, stages, step.why);
  }
}

async function findStep(db: RegistryDb, channel: ChannelName, stages: CanaryStages, at: Date): Promise<Step> {
  return nextStep(
    { parts: stages.shares.map((share) => share / 100), everyMs: stages.everyMs },
    {
      part: stages.basisPoints / 10_000,
      sinceMs: at.getTime() - stages.since.getTime(),
      views: stages.views,
      networks: stages.networks,
      verdict: await findVerdict(db, channel, stages),
    },
  );
}

/** Null if the canary changes the configuration, which is not judged. */
async function findVerdict(
  db: RegistryDb,
  channel: ChannelName,
  { canary }: CanaryStages,
): Promise<Verdict | null> {
  return (await listJudgements(db, channel)).find(({ subject }) => subject === canary)?.verdict ?? null;
}

async function raise(
  context: RegistryContext,
  channel: ChannelName,
  { stages, part }: { stages: CanaryStages; part: number },
  onProblem: (error: unknown) => void,
): Promise<void> {
  const { db, now } = context;
  const basisPoints = Math.round(part * 10_000);
  const share = toPercent(basisPoints);
  const ifCanary = releaseId(stages.canary);
  const reason =
    `The stage of ${toPercent(stages.basisPoints)} % has ended: ` +
    `${stages.views} views of ${stages.networks} networks support the next.`;
  const next = { basisPoints, since: now(), says: 'it has begun' };
  try {
    await asGuard(
      context,
      async ({ transaction }) => {
        // Another registry may have raised it, or a user changed it.
        const { canaries } = await findChannel(transaction, channel);
        const running = canaries.find(({ number }) => number === stages.canary);
        if (running?.basisPoints !== stages.basisPoints) throw new Superseded();
        // Visitors may have reported problems during rendering, so a promotion is evaluated again.
        if ((await findStep(transaction, channel, stages, now())).do !== 'raise') throw new Superseded();
        if (!(await moveStage(transaction, channel, stages, next))) throw new Superseded();
      },
      (command) =>
        share === 100
          ? promoteCanary(command, channel, { reason, ifCanary })
          : changeShare(command, channel, { share, reason, ifCanary }),
      onProblem,
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.detail !== stages.says) await noteStage(db, channel, stages, error.detail);
  }
}
