import type { ChannelName } from '@site/contract';
import { stretchEnds } from '@site/contract/signals/report-limits';
import type { Cell, EdgeSums } from '@site/contract/signals/sums.schema';
import type { Comparison } from '@site/guard/comparison';
import { judge } from '@site/guard/judge';
import { evaluate, type Verdict } from '@site/guard/verdict';
import { addToExperiments } from './experiment.repository.ts';
import { addFaults } from './fault.repository.ts';
import { listUndecided, updateJudgement, wasOtherShellTried } from './judgement.repository.ts';
import { addSignals, inTurn, listVisitedEdges, takeBatch } from './signal.repository.ts';
import { addToStage } from './stage.repository.ts';
import type { RegistryTransaction } from '../kernel/tables.ts';
import { answersIn, STATE_FORMAT } from './judgement.ts';
import { sumsByPlace } from './signal-sums.ts';
import { HOUR_MS, MINUTE_MS } from '@site/server/durations';
import type { RegistryContext } from '../kernel/context.ts';

/** The age at which an edge counts a view. */
const COUNTED_AFTER_MS = stretchEnds.first + 1_000;

/** Tolerance for clock skew and for batches that waited for the registry; older times are clamped. */
const OLDEST_MS = HOUR_MS;

const CANARY_LINGERS_MS = MINUTE_MS;

/**
 * One transaction, so retries and crashes have no further effect. @returns false if it was already counted.
 * @param onProblem receives failed judgements. The batch counts anyway, because its edge would resend it forever.
 */
export async function takeSignals(
  { db, now, metrics }: Pick<RegistryContext, 'db' | 'now' | 'metrics'>,
  edge: string,
  { boot, sequence, channel, cells, faults, at }: EdgeSums,
  onProblem: (error: unknown) => void,
): Promise<boolean> {
  const begun = performance.now();
  const counted = await inTurn(db, channel, async (transaction) => {
    const heard = now();
    if (!(await takeBatch(transaction, { edge, boot, sequence }, heard))) return false;
    const told = within(new Date(at), new Date(heard.getTime() - OLDEST_MS), heard);
    await addSignals(transaction, channel, sumsByPlace(cells), told);
    await addFaults(transaction, channel, faults, told);
    await addToStage(transaction, channel, cells);
    await addToExperiments(transaction, channel, cells, told);
    await judgeBatch(transaction, channel, { edge, cells, at: heard }, onProblem);
    return true;
  });
  metrics.batchTaken(counted ? 'counted' : 'repeated', performance.now() - begun);
  return counted;
}

async function judgeBatch(
  transaction: RegistryTransaction,
  channel: ChannelName,
  { edge, cells, at }: { edge: string; cells: readonly Cell[]; at: Date },
  onProblem: (error: unknown) => void,
): Promise<void> {
  const undecided = await listUndecided(transaction, channel);
  if (undecided.length === 0) return;
  const visited = await listVisitedEdges(transaction, channel, at);
  // An edge that is not in service has no visitors while others have.
  if (visited.length > 0 && !visited.includes(edge)) return;
  const reporter = { atMs: at.getTime() - COUNTED_AFTER_MS };
  for (const judgement of undecided) {
    const { state, app, isCanary } = judgement;
    if (state.format !== STATE_FORMAT) continue;
    const answers = answersIn(cells, judgement, state);
    if (answers.length === 0) continue;
    // The record of a shell holds no faults of apps.
    const lately = new Date(at.getTime() - CANARY_LINGERS_MS);
    if (app === 'shell' && !isCanary && (await wasOtherShellTried(transaction, channel, judgement, lately)))
      continue;
    let comparison: Comparison;
    let verdict: Verdict;
    try {
      comparison = judge(state.comparison, answers, reporter);
      verdict = evaluate(comparison);
    } catch (error) {
      onProblem(error);
      continue;
    }
    await updateJudgement(transaction, channel, {
      ...judgement,
      state: { ...state, comparison },
      verdict,
      since: isSameVerdict(verdict, judgement.verdict) ? judgement.since : at,
    });
  }
}

const isSharedService = (verdict: Verdict) => verdict.is === 'bad' && verdict.sharedService === true;
const isSameVerdict = (one: Verdict, other: Verdict) =>
  one.is === other.is && isSharedService(one) === isSharedService(other);

function within(at: Date, from: Date, to: Date): Date {
  return new Date(Math.min(Math.max(at.getTime(), from.getTime()), to.getTime()));
}
