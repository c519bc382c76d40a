import type { Command } from 'commander';
import type { ChangeAnswer } from '@site/contract';
import type { RegistryClient } from '../registry-client.ts';
import { changeLines } from '@site/contract/change-lines';
import type { EdgeGoal } from '@site/contract/edge-goals';
import { timeText } from '@site/contract/text';
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
      ? await followEdges(registry, context, { channel, goal: goal(answer), takesAway })
      : null;
  const ms = Math.round(performance.now() - startedAt);
  // The change is made, so print it even if waiting for the edges fails.
  if (json) {
    const listIds = (edges: { id: string }[] = []) => edges.map(({ id }) => id);
    const { edges = null, lagging, silent } = waited?.serving ?? {};
    const known = { edges, lagging: listIds(lagging), silent: listIds(silent), ms };
    printJson(context, { ...answer, ...known });
  } else if (!answer.changed) {
    printLines(context, [`nothing to do: ${nothing(answer)}`, ...arrival(waited?.serving, ms)]);
  } else {
    printLines(context, [
      answer.dryRun ? 'dry run: nothing was changed. This is what would happen:' : done(answer),
      ...[...more(), ...changeLines(answer)].map((line) => `  ${line}`),
      ...arrival(waited?.serving, ms),
    ]);
  }
  if (waited?.problem) throw waited.problem;
}

interface Waited {
  serving?: EdgesServing;
  /** Thrown after the result is printed. */
  problem: Error | null;
}

async function followEdges(
  registry: RegistryClient,
  { signal }: CommandContext,
  { channel, goal, takesAway }: { channel: string; goal: EdgeGoal; takesAway: boolean },
): Promise<Waited> {
  try {
    const serving = await waitForEdges(registry, channel, goal, { signal });
    return { serving, problem: edgesProblem(serving, takesAway) };
  } catch (error) {
    return { problem: error as Error };
  }
}

function arrival(serving: EdgesServing | undefined, ms: number): string[] {
  if (!serving) return [];
  const { edges, lagging, silent } = serving;
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
  ];
}
