import type { Command } from 'commander';
import type { ChangeAnswer } from '@site/contract';
import type { RegistryClient } from '../registry-client.ts';
import { changeLines } from '@site/contract/change-lines';
import type { EdgeGoal } from '@site/contract/edge-goals';
import { timeText } from '@site/contract/text';
import { checkFront, type FrontCheck } from '../check-front.ts';
import { edgesProblem, waitForEdges, type EdgesServing } from '../wait-for-edges.ts';
import { connect, printJson, printLines, type CommandContext } from './command-context.ts';
import { addChangeOptions, channelOption, type ChangeOptions } from './options.ts';

export interface ReleaseOptions extends ChangeOptions {
  channel: string;
  wait: boolean;
}

export interface ChannelChange {
  order(registry: RegistryClient): Promise<ChangeAnswer>;
  goal(answer: ChangeAnswer): EdgeGoal;
  done(answer: ChangeAnswer): string;
  nothing(answer: ChangeAnswer): string;
  more?: () => string[];
  /** An unreachable edge that may serve the previous versions results in exit code 3. */
  takesAway?: boolean;
}

export function addReleaseOptions(command: Command, ...examples: string[]): Command {
  command
    .addOption(channelOption())
    .option('--no-wait', 'return immediately instead of waiting for the edges');
  return addChangeOptions(command, ...examples);
}

export async function changeChannel(
  context: CommandContext,
  options: ReleaseOptions,
  { order, goal, done, nothing, more = () => [], takesAway = false }: ChannelChange,
): Promise<void> {
  const { channel, wait, json } = options;
  const registry = await connect(context, options);
  const startedAt = performance.now();
  const answer = await order(registry);
  const waited =
    wait && !answer.dryRun
      ? await followEdges(registry, context, { channel, goal: goal(answer), takesAway, answer })
      : null;
  const ms = Math.round(performance.now() - startedAt);
  // The change is made, so print it even if waiting for the edges fails.
  if (json) {
    const listIds = (edges: { id: string }[] = []) => edges.map(({ id }) => id);
    const { edges = null, lagging, silent } = waited?.serving ?? {};
    const known = {
      edges,
      lagging: listIds(lagging),
      silent: listIds(silent),
      ms,
      ...(waited?.front ? { front: waited.front } : {}),
    };
    printJson(context, { ...answer, ...known });
  } else if (!answer.changed) {
    printLines(context, [`nothing to do: ${nothing(answer)}`, ...arrival(waited, ms)]);
  } else {
    printLines(context, [
      answer.dryRun ? 'dry run: nothing was changed. This is what would happen:' : done(answer),
      ...[...more(), ...changeLines(answer)].map((line) => `  ${line}`),
      ...arrival(waited, ms),
    ]);
  }
  if (waited?.problem) throw waited.problem;
}

interface Waited {
  serving?: EdgesServing;
  front?: FrontCheck;
  /** Thrown after the result is printed. */
  problem: Error | null;
}

async function followEdges(
  registry: RegistryClient,
  { signal }: CommandContext,
  {
    channel,
    goal,
    takesAway,
    answer,
  }: { channel: string; goal: EdgeGoal; takesAway: boolean; answer: ChangeAnswer },
): Promise<Waited> {
  let serving: EdgesServing | undefined;
  try {
    serving = await waitForEdges(registry, channel, goal, { signal });
    const problem = edgesProblem(serving, takesAway);
    if (problem !== null || !takesAway || serving.caches.all === 0) return { serving, problem };
    return { serving, front: await checkFront(answer), problem: null };
  } catch (error) {
    return { ...(serving ? { serving } : {}), problem: error as Error };
  }
}

function arrival(waited: Waited | null, ms: number): string[] {
  if (!waited?.serving) return [];
  const { edges, lagging, silent } = waited.serving;
  const others = silent.map(
    ({ id, release, seenAt }) =>
      `${id} has been unreachable since ${timeText(seenAt)}; it served ${release ?? 'nothing'} then`,
  );
  if (lagging.length > 0) return [`edges that serve it after ${ms} ms: ${edges}`, ...others];
  const every = silent.length > 0 ? 'every responding edge' : 'every edge';
  return [
    edges === 0
      ? 'no edge has reported recently, so none serves it yet'
      : `${every} (${edges}) serves it after ${ms} ms`,
    ...others,
    ...(waited.front ? [frontLine(waited.front)] : []),
  ];
}

function frontLine({ origin, checks, problem }: FrontCheck): string {
  return problem === null
    ? `no cache shows it (${checks} checks of ${origin})`
    : `the caches are purged, but ${origin} could not be checked from here: ${problem}`;
}
