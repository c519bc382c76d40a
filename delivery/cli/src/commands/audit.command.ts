import type { Command } from 'commander';
import { AppNameSchema } from '@site/contract';
import { TimeSchema } from '@site/contract/registry-calls/fields';
import { timeText } from '@site/contract/text';
import { connect, printJson, printTable, type CommandContext } from './command-context.ts';
import { addCommonOptions, limitOption, parseAs, parseWholeNumber, type CommonOptions } from './options.ts';

interface Options extends CommonOptions {
  limit: number;
  before?: number;
  by?: string;
  action?: string;
  app?: string;
  since?: string;
}

export function addAudit(program: Command, context: CommandContext): void {
  const command = program
    .command('audit')
    .description('all changes with author, time and reason, newest first')
    .option(...limitOption)
    .option('--before <number>', 'only entries before this one', parseWholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--by <name>', 'only changes by this person, pipeline or "guard"')
    .option('--action <text>', 'only actions with this prefix, such as "token."')
    .option('--app <app>', 'only changes to this app', parseAs(AppNameSchema))
    .option(
      '--since <time>',
      'only entries since this time, such as 2026-01-31T12:00:00Z',
      parseAs(TimeSchema),
    );
  addCommonOptions(command, 'audit', 'audit --limit 100 --json', 'audit --by guard --app mfe-blocks').action(
    (options: Options) => audit(context, options),
  );
}

async function audit(context: CommandContext, { json, ...query }: Options): Promise<void> {
  const { limit } = query;
  const { events } = await (await connect(context)).listAudit({ query });
  if (json) return printJson(context, { events });
  const rows = events.map(({ sequence, at, by, action, subject, details: { reason } }) => [
    String(sequence),
    timeText(at),
    by,
    action,
    subject,
    typeof reason === 'string' ? reason : '',
  ]);
  printTable(context, ['ENTRY', 'AT', 'BY', 'ACTION', 'SUBJECT', 'REASON'], rows, 'no entries');
  const last = events.at(-1);
  if (events.length === limit && last && last.sequence > 1) {
    context.io.out(`older ones: add "--before ${last.sequence}"\n`);
  }
}
