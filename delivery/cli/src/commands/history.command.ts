import { InvalidArgumentError, type Command } from 'commander';
import { change, table, time } from '../output.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';
import { channelOption } from './release-options.ts';

interface Options {
  channel: string;
  limit: number;
  json?: true;
}

export function addHistory(program: Command, context: CommandContext): void {
  program
    .command('history')
    .description('the releases of a channel, newest first')
    .argument('[app]', 'only those that changed this app')
    .addOption(channelOption())
    .option('--limit <number>', 'how many, at most 200', parseLimit, 20)
    .option('--json', 'print the result as JSON')
    .action((app: string | undefined, options: Options) => history(context, app, options));
}

async function history(
  context: CommandContext,
  app: string | undefined,
  { channel, limit, json }: Options,
): Promise<void> {
  const registry = await connect(context);
  const releases = await registry.history(channel, { app, limit });
  if (json) return printJson(context, { releases });
  if (releases.length === 0) {
    context.io.out(`no release of ${channel}${app ? ` changed ${app}` : ''} yet\n`);
    return;
  }
  const rows = releases.map(({ id, at, by, kind, changes, reason, revoked }) => [
    revoked ? `${id} revoked` : id,
    time(at),
    by,
    kind,
    summarise(changes.filter((item) => app === undefined || item.app === app)),
    reason,
  ]);
  context.io.out(table([['RELEASE', 'AT', 'BY', 'KIND', 'CHANGES', 'REASON'], ...rows]));
}

/** A line must stay one line: of many changes only the names. */
function summarise(changes: Parameters<typeof change>[0][]): string {
  if (changes.length === 0) return 'configuration';
  return changes.map((item) => (changes.length > 2 ? item.app : change(item))).join(', ');
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit;
  throw new InvalidArgumentError('Give a whole number from 1 to 200.');
}
