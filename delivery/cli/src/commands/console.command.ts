import type { Command } from 'commander';
import { timeText } from '@site/contract/time-text';
import { readSettings } from '../settings.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';
import { addCommonOptions, type CommonOptions } from './options.ts';

export function addConsole(program: Command, context: CommandContext): void {
  const command = program
    .command('console')
    .description(
      'a link that signs you in to the console with the rights of your token; valid once, for a minute',
    );
  addCommonOptions(command, 'console').action((options: CommonOptions) => openConsole(context, options));
}

async function openConsole(context: CommandContext, { json }: CommonOptions): Promise<void> {
  const { path, expiresAt } = await (await connect(context)).makeConsoleLink({ body: {} });
  const { registryUrl } = await readSettings(context.root, context.env);
  const url = `${registryUrl}${path}`;
  if (json) return printJson(context, { url, expiresAt });
  // The link alone on the standard output, so that it can be piped to whatever opens it.
  context.io.err(
    `The first person to open this, until ${timeText(expiresAt)}, can do whatever your token allows:\n`,
  );
  context.io.out(`${url}\n`);
}
