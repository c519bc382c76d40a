import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { addCommonOptions } from './options.ts';
import { addPublishOptions, publish, type PublishOptions } from './publish-options.ts';

export function addCheck(program: Command, context: CommandContext): void {
  const command = program
    .command('check')
    .description('run all checks of "publish" without publishing: for pull requests');
  addPublishOptions(command);
  addCommonOptions(command, 'check mfe-blocks', 'check mfe-blocks --json').action(
    (app: string | undefined, options: PublishOptions) => publish(context, app, { ...options, dryRun: true }),
  );
}
