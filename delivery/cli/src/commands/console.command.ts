import type { Command } from 'commander';
import { timeText } from '@site/contract/text';
import { readSettings } from '../settings.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';
import { addCommonOptions, type CommonOptions } from './options.ts';

export function addConsole(program: Command, context: CommandContext): void {
  const command = program
    .command('console')
    .description('print a single-use sign-in link to the console, valid for one minute');
  addCommonOptions(command, 'console').action((options: CommonOptions) => openConsole(context, options));
}

async function openConsole(context: CommandContext, { json }: CommonOptions): Promise<void> {
  const { path, expiresAt } = await (await connect(context)).makeConsoleLink({ body: {} });
  const { registryUrl } = await readSettings(context.root, context.env);
  const url = `${registryUrl}${path}`;
  if (json) return printJson(context, { url, expiresAt });
  context.io.err(
    `Until ${timeText(expiresAt)}, the first person to open this link gets the permissions of your token:\n`,
  );
  context.io.out(`${url}\n`);
}
