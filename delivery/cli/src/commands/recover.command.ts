import type { Command } from 'commander';
import { connect, printJson, printLines, type CommandContext } from './command-context.ts';
import { addChangeOptions, reasonOption, type ChangeOptions } from './options.ts';

interface Options extends ChangeOptions {
  reason: string;
}

export function addRecover(program: Command, context: CommandContext): void {
  const command = program
    .command('recover')
    .description('confirm lost database entries, or a copy; edges, guard and alerts continue')
    .requiredOption(...reasonOption);
  addChangeOptions(
    command,
    'recover --dry-run --reason "failover to db-2"',
    'recover --reason "failover to db-2"',
  ).action((options: Options) => recover(context, options));
}

async function recover(context: CommandContext, options: Options): Promise<void> {
  const { reason, dryRun } = options;
  const answer = await (await connect(context, options)).recover({ body: { reason, dryRun } });
  if (options.json) return printJson(context, answer);
  const { changed, says, diverged } = answer;
  if (!changed) return printLines(context, ['nothing to confirm: the database has every anchored entry']);
  printLines(context, [
    ...(answer.dryRun ? ['dry run: nothing was changed; this would be confirmed:'] : ['confirmed:']),
    `  ${says ?? ''}`,
    ...diverged.map((edge) => `  ${edge} follows the lost entries; its next release is the live one`),
  ]);
}
