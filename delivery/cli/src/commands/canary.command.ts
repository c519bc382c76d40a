import { type Command, Argument } from 'commander';
import { servesCanary, servesLive, servesNoOldCanary } from '@site/contract/edge-goals';
import type { CommandContext } from './command-context.ts';
import { parseReleaseId, reasonOption, parseShare } from './options.ts';
import { addReleaseOptions, type ReleaseOptions, changeChannel } from './release-options.ts';

export interface CanaryOptions extends ReleaseOptions {
  ifCanary?: string;
  reason?: string;
}

export function addCanaryOptions(command: Command, ...examples: string[]): Command {
  command
    .option('--if-canary <release>', 'the expected canary: fails if another one runs', parseReleaseId)
    .option(...reasonOption);
  return addReleaseOptions(command, ...examples);
}

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
