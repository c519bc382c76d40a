import type { Command } from 'commander';
import type { ChangeAnswer } from '@site/contract';
import type { RegistryClient } from '../registry-client.ts';
import { changeLines } from '@site/contract/change-lines';
import type { EdgeGoal } from '@site/contract/edge-goals';
import { timeText } from '@site/contract/time-text';
import { edgesProblem, waitForEdges, type EdgesServing } from '../wait-for-edges.ts';
import { connect, printJson, printLines, type CommandContext } from './command-context.ts';
import { addChangeOptions, channelOption, type ChangeOptions } from './options.ts';

/** What all commands have in common that change which versions a channel shows. */
export interface ReleaseOptions extends ChangeOptions {
  channel: string;
  wait: boolean;
}

/** One change of a channel: how to ask for it, when it has arrived, and how to describe it. */
export interface ChannelChange {
  order(registry: RegistryClient): Promise<ChangeAnswer>;
  /** What every edge must have come to. */
  goal(answer: ChangeAnswer): EdgeGoal;
  /** Such as `r5 is live on production`. */
  done(answer: ChangeAnswer): string;
  /** When nothing had to change. */
  nothing(answer: ChangeAnswer): string;
  /** What else to say about it. */
  more?: () => string[];
  /** Whether visitors must not see what was there before: then an edge that fell silent with it has an exit code of its own. */
  takesAway?: boolean;
}

export function addReleaseOptions(command: Command, ...examples: string[]): Command {
  command
    .addOption(channelOption())
    .option('--no-wait', 'return at once instead of waiting until every edge has followed');
  return addChangeOptions(command, ...examples);
}

/** Makes the change, waits for the edges, prints what happened and how long it took until it was so everywhere. */
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
  // Whatever becomes of the edges, the change is made: that is told first.
  if (json) {
    const idsOf = (edges: { id: string }[] = []) => edges.map(({ id }) => id);
    const { edges = null, lagging, silent } = waited?.serving ?? {};
    const known = { edges, lagging: idsOf(lagging), silent: idsOf(silent), ms };
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
  /** What the command ends with, when it has told what was done. */
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
      `${id} has not answered since ${timeText(seenAt)}; it served ${release ?? 'nothing'} then`,
  );
  if (lagging.length > 0) return [`edges that serve it after ${ms} ms: ${edges}`, ...others];
  const every = silent.length > 0 ? 'every edge that answers' : 'every edge';
  return [
    edges === 0
      ? 'no edge has reported lately, so none serves it yet'
      : `${every} (${edges}) serves it after ${ms} ms`,
    ...others,
  ];
}
