import type { Command } from 'commander';
import type { ChannelAnswer } from '@site/contract';
import { table } from '../output.ts';
import { clockSkewText } from '@site/contract/clock-skew';
import { timeText } from '@site/contract/text';
import { connect, printJson, printLines, type CommandContext } from './command-context.ts';
import {
  addCommonOptions,
  channelOption,
  addRemoval,
  type RemovalOptions,
  type ChannelOptions,
} from './options.ts';

const forgetExample = 'edge forget edge-2 --reason "the machine is gone"';

export function addEdge(program: Command, context: CommandContext): void {
  const group = program
    .command('edge')
    .description('list the edges, and remove lost ones')
    .addHelpText('after', `\nExamples:\n  $ npx @site/cli edge list\n  $ npx @site/cli ${forgetExample}`);

  const list = group
    .command('list')
    .description('the release of each edge, and since when an edge is unreachable')
    .addOption(channelOption());
  addCommonOptions(list, 'edge list').action((options: ChannelOptions) => listEdges(context, options));

  addRemoval(group, {
    name: 'forget',
    description: 'remove an unreachable edge from the list, until it returns',
    example: forgetExample,
    remove: (id, options) => forgetEdge(context, id, options),
  });
}

export function edgesTable(edges: ChannelAnswer['edges']): string {
  if (edges.length === 0) return 'no edge has reported\n';
  const rows = edges.map(({ id, release, canaries, seenAt, alive, diverged, clockSkewMs }) => [
    id,
    release ?? 'nothing',
    canaries.map(({ release: canary, share }) => `${canary} ${share} %`).join(', ') || '-',
    [
      alive ? 'now' : `silent since ${timeText(seenAt)}`,
      ...(diverged ? ['follows lost entries'] : []),
      ...(alive && clockSkewText(clockSkewMs)
        ? [`its clock is ${clockSkewText(clockSkewMs)} the database's`]
        : []),
    ].join(', '),
  ]);
  return table([['EDGE', 'SERVES', 'CANARIES', 'SEEN'], ...rows]);
}

async function listEdges(context: CommandContext, { channel, json }: ChannelOptions): Promise<void> {
  const { edges } = await (await connect(context)).readChannel({ params: { channel } });
  if (json) return printJson(context, { edges });
  context.io.out(edgesTable(edges));
}

async function forgetEdge(context: CommandContext, id: string, options: RemovalOptions): Promise<void> {
  const { reason, dryRun, json } = options;
  const answer = await (
    await connect(context, options)
  ).forgetEdge({ params: { edge: id }, body: { reason, dryRun } });
  if (json) return printJson(context, answer);
  const since = `unreachable since ${timeText(answer.seenAt)}`;
  printLines(context, [
    answer.dryRun
      ? `dry run: nothing was changed; ${id}, ${since}, would be forgotten`
      : `${id}, ${since}, is forgotten`,
  ]);
}
