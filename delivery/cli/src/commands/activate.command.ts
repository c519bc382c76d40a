import type { Command } from 'commander';
import { basename, resolve } from 'node:path';
import { CliError } from '../cli-error.ts';
import { CONFIG_EXAMPLE, readSiteConfig } from '../read-site-config.ts';
import type { RegistryClient } from '../registry-client.ts';
import { appOr } from '../repository.ts';
import { pickAuthorFields, type AuthorFields } from '@site/contract/author-fields';
import { servesCanary, servesLive } from '@site/contract/edge-goals';
import { MAX_STAGE_MINUTES } from '@site/contract/registry-calls/channel.calls';
import { indented, type CommandContext } from './command-context.ts';
import { addAuthorOptions, ifLiveOption, parseMinutes, parseShares, withoutOption } from './options.ts';
import { addReleaseOptions, changeChannel, type ReleaseOptions } from './release-options.ts';
import { resolveTarget } from './target.ts';

interface Options extends ReleaseOptions, Partial<AuthorFields> {
  canary?: readonly number[];
  every?: number;
  without?: string[];
  config?: string;
  ifLive?: string;
  force?: true;
}

export function addActivate(program: Command, context: CommandContext): void {
  const command = program
    .command('activate')
    .description('make published versions live; all other apps stay as they are')
    .argument(
      '[app[@version]...]',
      "without a version: this folder's build (default: the app of the current folder)",
    )
    .option(
      '--canary <shares>',
      'start a canary of one app (or of --config) with this share of the visitors, such as 10%; with --every, a list of rising shares such ' +
        'as 1%,10%,50%,100%',
      parseShares,
    )
    .option(
      '--every <time>',
      'minimum time between steps, such as 10m; pauses if a metric looks bad, and reaches 100% only if the ' +
        'version is found good',
      parseMinutes(MAX_STAGE_MINUTES),
    )
    .option(...withoutOption)
    .option('--config <file>', 'with this configuration of the site, which the first release needs (JSON)')
    .option(...ifLiveOption)
    .option('--force', 'accept a quarantined version; lifts its quarantine');
  addReleaseOptions(
    addAuthorOptions(command, { needsReason: false }),
    'activate mfe-blocks',
    'activate mfe-blocks@1.0.0-3f2a9c01b7de --canary 10%',
    'activate mfe-blocks --canary 1%,10%,50%,100% --every 10m',
    'activate shell@1.0.0-3f2a9c01b7de mfe-blocks --reason "new header" --if-live r12',
    'activate shell mfe-marketing mfe-blocks mfe-partners mfe-policies --config site.json',
    'activate shell --without mfe-partners --reason "its pages fail on the new shell"',
    'activate --config site.json --reason "the gateway has moved"',
  )
    .addHelpText('after', `Example for --config:\n${indented(JSON.stringify(CONFIG_EXAMPLE, null, 2))}`)
    .action((named: string[], options: Options) => {
      const isOfOthers = options.config !== undefined || options.without !== undefined;
      const targets = named.length > 0 || isOfOthers ? named : [appOr(context, undefined)];
      const { canary = [], every } = options;
      if (canary.length > 1 !== (every !== undefined))
        command.error(
          'error: use several shares together with --every, such as --canary 1%,10%,100% --every 10m',
        );
      return activate(context, targets, options);
    });
}

export async function activate(context: CommandContext, targets: string[], options: Options): Promise<void> {
  const { channel, canary: shares, every, without, config: file, ifLive, force, dryRun } = options;
  const [canary, ...later] = shares ?? [];
  const config = file === undefined ? undefined : readSiteConfig(resolve(file));
  const what = [
    ...targets,
    ...(without ?? []).map((app) => `--without ${app}`),
    ...(file === undefined ? [] : [`--config ${basename(file)}`]),
  ].join(' ');
  await changeChannel(context, options, {
    async order(registry) {
      const apps = await resolveApps(context, registry, targets);
      const body = {
        apps,
        without,
        ...pickAuthorFields({ ...options, reason: options.reason ?? `activate ${what}` }),
        config,
        share: canary,
        stages: every === undefined ? undefined : { shares: later, everyMinutes: every },
        ifLive,
        force,
        dryRun,
      };
      return registry.createRelease({ params: { channel }, body });
    },
    goal: ({ release }) => (canary === undefined ? servesLive(release.id) : servesCanary(release.id)),
    done: ({ release }) =>
      canary === undefined
        ? `${release.id} is live on ${channel}`
        : `${release.id} is a canary on ` +
          `${channel}${every === undefined ? '' : `; "npx @site/cli guard status" shows its progress`}`,
    nothing: ({ release }) =>
      `${release.id} is already live on ${channel} with ${config ? 'all of this' : 'these versions'}`,
  });
}

async function resolveApps(
  context: CommandContext,
  registry: RegistryClient,
  targets: string[],
): Promise<Record<string, string>> {
  const apps: Record<string, string> = {};
  for (const target of targets) {
    const { app, version } = await resolveTarget(context, registry, target);
    if (app in apps) throw new CliError('target_invalid', `"${app}" is named twice: name each app once.`);
    apps[app] = version;
  }
  return apps;
}
