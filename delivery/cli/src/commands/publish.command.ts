import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { addCommonOptions } from './options.ts';
import { addPublishOptions, publish, type PublishOptions } from './publish-options.ts';

export function addPublish(program: Command, context: CommandContext): void {
  const command = program
    .command('publish')
    .description('build an app and publish the version; makes nothing live');
  addPublishOptions(command).option('--dry-run', 'the same as "check"');
  addCommonOptions(command, 'publish mfe-blocks && npx site activate mfe-blocks').action(
    (app: string | undefined, options: PublishOptions) => publish(context, app, options),
  );
}
