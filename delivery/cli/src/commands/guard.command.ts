import { Argument, type Command } from 'commander';
import type {
  Fallback,
  GuardPolicies,
  GuardStages,
  PolicyMode,
} from '@site/contract/registry-calls/guard.calls';
import { timeText } from '@site/contract/text';
import { lines as formatLines, table } from '../output.ts';
import {
  changeLine,
  connect,
  printJson,
  printLines,
  printTable,
  type CommandContext,
} from './command-context.ts';
import {
  addChangeOptions,
  addCommonOptions,
  channelOption,
  limitOption,
  reasonOption,
  type ChangeOptions,
  type ChannelOptions,
} from './options.ts';

interface SetOptions extends ChangeOptions {
  channel: string;
  reason: string;
}

interface HistoryOptions extends ChannelOptions {
  limit: number;
}

const setExample = 'guard set suggest mfe-blocks --reason "a campaign changes who visits"';

export function addGuard(program: Command, context: CommandContext): void {
  const group = program
    .command('guard')
    .description('automatic rollback of bad versions: observations, policy and actions')
    .addHelpText('after', `\nExamples:\n  $ npx @site/cli guard status\n  $ npx @site/cli ${setExample}`);

  const status = group
    .command('status')
    .description('the watched versions, their verdicts, and the policy')
    .addOption(channelOption());
  addCommonOptions(status, 'guard status').action((options: ChannelOptions) => showStatus(context, options));

  const set = group
    .command('set')
    .description('set the policy for bad versions')
    .addArgument(
      new Argument(
        '<mode>',
        'act: end a bad canary, and roll back a release in its first ten minutes; suggest: only suggest it; off: ' +
          'do nothing; default: same as for all other apps',
      ).choices(['act', 'suggest', 'off', 'default']),
    )
    .argument('[app]', 'for this app (default: for all apps without their own setting)')
    .addOption(channelOption())
    .requiredOption(...reasonOption);
  addChangeOptions(set, setExample, 'guard set default mfe-blocks --reason "the campaign has ended"').action(
    (mode: PolicyMode | 'default', app: string | undefined, options: SetOptions) =>
      setMode(context, mode, app, options),
  );

  const history = group
    .command('history')
    .description('its actions, suggestions and failures, newest first')
    .argument('[app]', 'only about this app')
    .addOption(channelOption())
    .option(...limitOption);
  addCommonOptions(history, 'guard history mfe-blocks').action(
    (app: string | undefined, options: HistoryOptions) => showHistory(context, app, options),
  );
}

async function showStatus(context: CommandContext, { channel, json }: ChannelOptions): Promise<void> {
  const answer = await (await connect(context)).readGuard({ params: { channel } });
  if (json) return printJson(context, answer);
  const { judgements, policies, stages, fallbacks } = answer;
  context.io.out(
    formatLines([
      ...describePolicies(channel, policies),
      ...stages.map(describeStages),
      ...describeFallbacks(fallbacks),
    ]),
  );
  if (judgements.length === 0) {
    context.io.out(
      `the guard is watching nothing on ${channel}: no canary runs, and no release is younger than an hour\n`,
    );
    return;
  }
  const rows = judgements.map(({ app, version, release, canary, verdict, since, says }) => [
    `${app}@${version}`,
    canary ? `${release} canary` : release,
    verdict,
    timeText(since),
    says,
  ]);
  context.io.out(`\n${table([['VERSION', 'RELEASE', 'VERDICT', 'SINCE', 'BECAUSE'], ...rows])}`);
}

function describePolicies(channel: string, policies: GuardPolicies['policies']): string[] {
  const described = policies.map(
    ({ app, mode, by, at, reason }) =>
      `${app ?? 'all other apps'} on ${channel}: ${mode}, since ${timeText(at)}, by ${by}: ${reason}`,
  );
  const isSetForAll = policies.some(({ app }) => app === null);
  return isSetForAll ? described : [...described, `all other apps on ${channel}: act (the default)`];
}

function describeStages({ release, app, share, shares, everyMinutes, since, says }: GuardStages): string {
  const now = `the canary ${release} of ${app} has had ${share} % since ${timeText(since)}`;
  if (shares.length === 0) return `${now}; this is its last share`;
  const plan = shares.map((each) => `${each} %`).join(', ');
  const every = everyMinutes === 1 ? 'every minute' : `every ${everyMinutes} minutes`;
  return `${now}; then ${plan}, at most ${every}: ${says}`;
}

function describeFallbacks(fallbacks: readonly Fallback[]): string[] {
  const unproven = fallbacks.filter(({ proven }) => proven === null).map(({ app }) => app);
  if (unproven.length === 0) return [];
  return [`no proven-good fallback for: ${unproven.join(', ')}`];
}

async function setMode(
  context: CommandContext,
  mode: PolicyMode | 'default',
  app: string | undefined,
  options: SetOptions,
): Promise<void> {
  const { channel, reason, dryRun, json } = options;
  const registry = await connect(context, options);
  const answer = await registry.setGuard({
    params: { channel },
    body: { app, mode: mode === 'default' ? null : mode, reason, dryRun },
  });
  if (json) return printJson(context, answer);
  printLines(context, [changeLine(answer), ...describePolicies(channel, answer.policies)]);
}

async function showHistory(
  context: CommandContext,
  app: string | undefined,
  { channel, limit, json }: HistoryOptions,
): Promise<void> {
  const answer = await (
    await connect(context)
  ).listGuardActions({ params: { channel }, query: { app, limit } });
  if (json) return printJson(context, answer);
  const rows = answer.actions.map(({ at, did, app: of, version, release, evidence, why }) => [
    timeText(at),
    did,
    `${of}@${version}`,
    release,
    evidence,
    why,
  ]);
  printTable(
    context,
    ['AT', 'DID', 'VERSION', 'RELEASE', 'EVIDENCE', 'WHY'],
    rows,
    `the guard has done nothing on ${channel}${app ? ` about ${app}` : ''} yet`,
  );
}
