import type { Command } from 'commander';
import { servesNoOldCanary } from '@site/contract/edge-goals';
import { addCanaryOptions, type CanaryOptions } from './canary-options.ts';
import type { CommandContext } from './command-context.ts';
import { changeChannel } from './release-options.ts';

interface Options extends CanaryOptions {
  quarantine?: true;
}

export function addAbort(program: Command, context: CommandContext): void {
  const command = program
    .command('abort')
    .description('end the running canary: all visitors see the live release again')
    .option('--quarantine', 'quarantine the versions of the canary');
  addCanaryOptions(command, 'abort', 'abort --quarantine --reason "the form does not send"').action(
    (options: Options) => abort(context, options),
  );
}

async function abort(context: CommandContext, options: Options): Promise<void> {
  const { channel, ifCanary, quarantine, reason = 'abort the canary', dryRun } = options;
  await changeChannel(context, options, {
    order: (registry) =>
      registry.abortCanary({ params: { channel }, body: { reason, ifCanary, quarantine, dryRun } }),
    takesAway: true,
    goal: () => servesNoOldCanary,
    done: ({ release }) => `the canary of ${channel} has ended: all visitors see ${release.id}`,
    nothing: ({ release }) => `all visitors already see ${release.id} on ${channel}`,
  });
}
