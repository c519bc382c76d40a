import type { Command } from 'commander';
import { connect, type CommandContext } from './command-context.ts';
import { addReleaseOptions, finishRelease, type ReleaseOptions } from './release-options.ts';

interface Options extends ReleaseOptions {
  to?: string;
  reason: string;
}

export function addRollback(program: Command, context: CommandContext): void {
  const command = program
    .command('rollback')
    .description('put one app back to its last good version, and quarantine the one that is live')
    .argument('<app>', 'shell, or a remote such as mfe-blocks')
    .option('--to <version>', 'the version to put back (default: the last good one)')
    .requiredOption('--reason <text>', 'why; stays in the history');
  addReleaseOptions(command)
    .addHelpText('after', '\nExample:\n  $ npx site rollback mfe-blocks --reason "the form does not send"')
    .action((app: string, options: Options) => rollBack(context, app, options));
}

async function rollBack(context: CommandContext, app: string, options: Options): Promise<void> {
  const registry = await connect(context);
  const startedAt = performance.now();
  // Says which version is meant: someone who rolls back at the same moment must not make this one roll back further.
  const from = (await registry.channel(options.channel)).release?.apps[app];
  const released = await registry.rollBack(options.channel, {
    app,
    reason: options.reason,
    ...(from === undefined ? {} : { from }),
    ...(options.to === undefined ? {} : { to: options.to }),
    ...(options.force ? { force: true } : {}),
  });
  await finishRelease(context, registry, released, options, startedAt);
}
