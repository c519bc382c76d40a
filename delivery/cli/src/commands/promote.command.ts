import type { Command } from 'commander';
import { servesLive } from '@site/contract/edge-goals';
import { addCanaryOptions, type CanaryOptions } from './canary-options.ts';
import type { CommandContext } from './command-context.ts';
import { changeChannel } from './release-options.ts';

export function addPromote(program: Command, context: CommandContext): void {
  const command = program.command('promote').description('show the running canary to all visitors');
  addCanaryOptions(command, 'promote', 'promote --if-canary r13 --reason "no errors for a day"').action(
    (options: CanaryOptions) => promote(context, options),
  );
}

async function promote(context: CommandContext, options: CanaryOptions): Promise<void> {
  const { channel, ifCanary, reason = 'promote the canary', dryRun } = options;
  await changeChannel(context, options, {
    order: (registry) => registry.promoteCanary({ params: { channel }, body: { reason, ifCanary, dryRun } }),
    goal: ({ release }) => servesLive(release.id),
    done: ({ release }) => `${release.id} is live on ${channel}: all visitors see the canary's versions`,
    nothing: ({ release }) => `${release.id} is already live on ${channel}`,
  });
}
