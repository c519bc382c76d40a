import type { Command } from 'commander';
import { browsersText, faultPlace } from '@site/contract/fault-place';
import { timeText } from '@site/contract/text';
import { connect, printJson, printTable, type CommandContext } from './command-context.ts';
import { parseTarget } from './target.ts';
import { addCommonOptions, channelOption, limitOption, type ChannelOptions } from './options.ts';

interface Options extends ChannelOptions {
  limit: number;
}

export function addFaults(program: Command, context: CommandContext): void {
  const command = program
    .command('faults')
    .description("errors in visitors' browsers, newest first")
    .argument(
      '[app[@version]]',
      'only in this app or version (default: the app of the current folder, or all)',
    )
    .addOption(channelOption())
    .option(...limitOption);
  addCommonOptions(command, 'faults', 'faults mfe-blocks@1.0.0-3f2a9c01b7de --limit 5').action(
    (target: string | undefined, options: Options) =>
      faults(context, target ?? context.ownApp ?? undefined, options),
  );
}

async function faults(
  context: CommandContext,
  target: string | undefined,
  { channel, limit, json }: Options,
): Promise<void> {
  const { app, version } = target === undefined ? { app: undefined, version: null } : parseTarget(target);
  const answer = await (
    await connect(context)
  ).listFaults({ params: { channel }, query: { app, version: version ?? undefined, limit } });
  if (json) return printJson(context, answer);
  const rows = answer.faults.map((fault) => [
    timeText(fault.last),
    String(fault.count),
    fault.kind,
    `${fault.app}@${fault.version}`,
    fault.message,
    faultPlace(fault) ?? '-',
    fault.routes.join(' ') || '-',
    browsersText(fault) || '-',
  ]);
  printTable(
    context,
    ['LAST', 'VIEWS', 'KIND', 'VERSION', 'MESSAGE', 'WHERE', 'ROUTES', 'BROWSERS'],
    rows,
    `no faults reported for ${target ?? channel} yet`,
  );
}
