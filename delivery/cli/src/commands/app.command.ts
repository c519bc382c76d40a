import type { Command } from 'commander';
import type { OwnedAnswer } from '@site/contract/registry-calls/app.calls';
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
  reasonOption,
  type ChangeOptions,
  type CommonOptions,
  type ChannelOptions,
} from './options.ts';

interface CreateOptions extends ChangeOptions {
  owner: string;
  paths: string[];
}

interface TransferOptions extends ChangeOptions {
  owner: string;
  reason: string;
}

interface ReserveOptions extends ChangeOptions {
  paths: string[];
  reason: string;
}

const createExample = "app create mfe-careers --owner people --paths '/careers/*'";

/** Also accepts a comma-separated list. */
const pathsOption = [
  '--paths <paths...>',
  'reserved paths: "/careers" for one page, "/careers/*" for it and everything below; "/" and "*" as in redirects',
  (text: string, before: string[] = []) => [...before, ...text.split(',').map((path) => path.trim())],
] as const;

export function addApp(program: Command, context: CommandContext): void {
  const group = program
    .command('app')
    .description('register apps with their owners and reserved paths')
    .addHelpText('after', `\nExamples:\n  $ npx @site/cli app list\n  $ npx @site/cli ${createExample}`);

  const create = group
    .command('create')
    .description('register an app before its first version; for ops')
    .argument('<app>', 'such as mfe-careers')
    .requiredOption('--owner <team>', 'the team that owns it')
    .requiredOption(...pathsOption);
  addChangeOptions(create, createExample).action((app: string, options: CreateOptions) =>
    createApp(context, app, options),
  );

  const list = group
    .command('list')
    .description('list every app with its owner, paths and live version')
    .addOption(channelOption());
  addCommonOptions(list, 'app list').action((options: ChannelOptions) => listApps(context, options));

  const transfer = group
    .command('transfer')
    .description('transfer an app to another team; its tokens stay valid and are listed; for ops')
    .argument('<app>')
    .requiredOption('--owner <team>', 'the new owner')
    .requiredOption(...reasonOption);
  addChangeOptions(transfer, 'app transfer mfe-careers --owner growth --reason "new team"').action(
    (app: string, options: TransferOptions) => changeApp(context, app, options),
  );

  const reserve = group
    .command('reserve')
    .description('replace the reserved paths of an app; for ops')
    .argument('<app>')
    .requiredOption(...pathsOption)
    .requiredOption(...reasonOption);
  addChangeOptions(
    reserve,
    'app reserve mfe-careers --paths \'/careers/*\' /jobs --reason "a page for each job"',
  ).action((app: string, options: ReserveOptions) => changeApp(context, app, options));
}

async function createApp(context: CommandContext, app: string, options: CreateOptions): Promise<void> {
  const { owner, paths, dryRun } = options;
  const registry = await connect(context, options);
  printOwned(context, options, await registry.createApp({ body: { app, owner, paths, dryRun } }));
}

async function changeApp(
  context: CommandContext,
  app: string,
  options: ChangeOptions & { owner?: string; paths?: string[]; reason: string },
): Promise<void> {
  const { owner, paths, reason, dryRun } = options;
  const registry = await connect(context, options);
  const answer = await registry.changeApp({ params: { app }, body: { owner, paths, reason, dryRun } });
  printOwned(context, options, answer);
}

function printOwned(context: CommandContext, { json }: CommonOptions, answer: OwnedAnswer): void {
  if (json) return printJson(context, answer);
  const { app, owner, paths, tokens = [], trusts = [] } = answer;
  printLines(context, [
    changeLine(answer),
    `${app} belongs to ${owner}; reserved paths: ${paths.join(', ') || 'none'}`,
    ...(tokens.length > 0
      ? [
          `these tokens may publish or activate it: ${tokens.join(', ')} (revoke one with "npx ` +
            '@site/cli token revoke")',
        ]
      : []),
    ...trusts.map(
      ({ id, subject }) =>
        `the pipeline "${subject}" may publish it (remove it with "npx @site/cli trust remove ${id} --reason …")`,
    ),
  ]);
}

async function listApps(context: CommandContext, { channel, json }: ChannelOptions): Promise<void> {
  const { apps } = await (await connect(context)).listOwnedApps({ params: { channel } });
  if (json) return printJson(context, { apps });
  const rows = apps.map(({ app, owner, paths, live, retired, newest }) => [
    app,
    owner,
    live ?? (retired ? `retired, ${retired.to === null ? 'gone' : `to ${retired.to}`}` : '-'),
    newest ?? 'not published yet',
    paths.join(' ') || '-',
  ]);
  printTable(context, ['APP', 'OWNER', 'LIVE', 'NEWEST', 'PATHS'], rows);
}
