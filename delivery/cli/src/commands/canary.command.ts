import { Argument, type Command } from 'commander';
import { servesCanary } from '@site/contract/edge-goals';
import { addCanaryOptions, type CanaryOptions } from './canary-options.ts';
import type { CommandContext } from './command-context.ts';
import { parseShare } from './options.ts';
import { changeChannel } from './release-options.ts';

export function addCanary(program: Command, context: CommandContext): void {
  const command = program
    .command('canary')
    .description('change the visitor share of the running canary')
    .addArgument(new Argument('<share>', 'in percent, such as 25% or 0.5%').argParser(parseShare));
  addCanaryOptions(command, 'canary 25%').action((share: number, options: CanaryOptions) =>
    setShare(context, share, options),
  );
}

async function setShare(context: CommandContext, share: number, options: CanaryOptions): Promise<void> {
  const { channel, ifCanary, reason = `canary ${share} %`, dryRun } = options;
  await changeChannel(context, options, {
    order: (registry) =>
      registry.changeShare({ params: { channel }, body: { share, reason, ifCanary, dryRun } }),
    goal: () => servesCanary,
    done: ({ release }) => `the canary ${release.id} of ${channel} has a new share`,
    nothing: ({ release }) => `the canary ${release.id} of ${channel} already has this share`,
  });
}
