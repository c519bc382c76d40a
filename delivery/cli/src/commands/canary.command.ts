import { type Command, Argument } from 'commander';
import { CONFIGURATION, type CanaryShare } from '@site/contract';
import { servesCanary, servesLive, servesNoOldCanary } from '@site/contract/edge-goals';
import type { CommandContext } from './command-context.ts';
import { parseCanaryApp, parseReleaseId, reasonOption, parseShare } from './options.ts';
import { addReleaseOptions, type ReleaseOptions, changeChannel } from './release-options.ts';

export interface CanaryOptions extends ReleaseOptions {
  ifCanary?: string;
  reason?: string;
}

type CanaryApp = CanaryShare['app'] | undefined;

export function addCanaryOptions(command: Command, ...examples: string[]): Command {
  command
    .addArgument(
      new Argument(
        '[app]',
        `the canary's app, or "${CONFIGURATION}" (default: the app of the current folder, or the only canary)`,
      ).argParser(parseCanaryApp),
    )
    .option('--if-canary <release>', 'the expected canary: fails if another one runs', parseReleaseId)
    .option(...reasonOption);
  return addReleaseOptions(command, ...examples);
}

/** Identifies the canary of a request. */
function namedCanary({ ownApp }: CommandContext, app: CanaryApp, { ifCanary }: CanaryOptions) {
  const own = ifCanary === undefined ? (ownApp ?? undefined) : undefined;
  return { app: app ?? own, ifCanary };
}

export function addCanary(program: Command, context: CommandContext): void {
  const command = program
    .command('canary')
    .description("change a running canary's share of the visitors")
    .addArgument(new Argument('<share>', 'in percent, such as 25% or 0.5%').argParser(parseShare));
  addCanaryOptions(command, 'canary 25% mfe-blocks').action(
    (share: number, app: CanaryApp, options: CanaryOptions) => setShare(context, { share, app }, options),
  );
}

async function setShare(
  context: CommandContext,
  { share, app }: { share: number; app: CanaryApp },
  options: CanaryOptions,
): Promise<void> {
  const { channel, reason = `canary ${share} %`, dryRun } = options;
  const named = namedCanary(context, app, options);
  await changeChannel(context, options, {
    order: (registry) =>
      registry.changeShare({ params: { channel }, body: { ...named, share, reason, dryRun } }),
    goal: ({ release }) => servesCanary(release.id),
    done: ({ release }) => `the canary ${release.id} of ${channel} has a new share`,
    nothing: ({ release }) => `the canary ${release.id} of ${channel} already has this share`,
  });
}

export function addPromote(program: Command, context: CommandContext): void {
  const command = program.command('promote').description('show a running canary to all visitors');
  addCanaryOptions(
    command,
    'promote mfe-blocks',
    'promote --if-canary r13 --reason "no errors for a day"',
  ).action((app: CanaryApp, options: CanaryOptions) => promote(context, app, options));
}

async function promote(context: CommandContext, app: CanaryApp, options: CanaryOptions): Promise<void> {
  const { channel, reason = 'promote the canary', dryRun } = options;
  const named = namedCanary(context, app, options);
  await changeChannel(context, options, {
    order: (registry) => registry.promoteCanary({ params: { channel }, body: { ...named, reason, dryRun } }),
    goal: ({ release }) => servesLive(release.id),
    done: ({ release }) => `${release.id} is live on ${channel}: all visitors see the canary's version`,
    nothing: ({ release }) => `${release.id} is already live on ${channel}`,
  });
}

interface Options extends CanaryOptions {
  quarantine?: true;
}

export function addAbort(program: Command, context: CommandContext): void {
  const command = program
    .command('abort')
    .description('end a running canary: its visitors see the live version again')
    .option('--quarantine', "quarantine the canary's version");
  addCanaryOptions(
    command,
    'abort mfe-blocks',
    'abort mfe-blocks --quarantine --reason "the form does not send"',
  ).action((app: CanaryApp, options: Options) => abort(context, app, options));
}

async function abort(context: CommandContext, app: CanaryApp, options: Options): Promise<void> {
  const { channel, quarantine, reason = 'abort the canary', dryRun } = options;
  const named = namedCanary(context, app, options);
  await changeChannel(context, options, {
    order: (registry) =>
      registry.abortCanary({ params: { channel }, body: { ...named, reason, quarantine, dryRun } }),
    takesAway: true,
    goal: () => servesNoOldCanary,
    done: ({ release }) => `the canary has ended: its visitors see ${release.id} of ${channel}`,
    nothing: ({ release }) => `all visitors already see ${release.id} on ${channel}`,
  });
}
