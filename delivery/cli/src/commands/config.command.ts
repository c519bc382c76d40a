import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ChangeAnswer, ChannelName, Release, SiteConfig } from '@site/contract';
import { pickAuthorFields, type AuthorFields } from '@site/contract/author-fields';
import { configChanges } from '@site/contract/site-config.schema';
import { servesLive } from '@site/contract/edge-goals';
import { PAGE } from '@site/contract/registry-calls/fields';
import { timeText } from '@site/contract/text';
import { CliError } from '../cli-error.ts';
import { BRAND_EXAMPLE, readBrandFile, readSiteConfig } from '../read-site-config.ts';
import type { RegistryClient } from '../registry-client.ts';
import { readSettings } from '../settings.ts';
import { sharedDomainWarnings } from '../shared-domain.ts';
import { connect, indented, printJson, type CommandContext } from './command-context.ts';
import { addAuthorOptions, addCommonOptions, channelOption, parseReleaseId } from './options.ts';
import { addReleaseOptions, changeChannel, type ReleaseOptions } from './release-options.ts';

interface SetOptions extends ReleaseOptions, AuthorFields {
  brand?: string;
  clearBrowsers?: true;
}

interface RollbackOptions extends ReleaseOptions, AuthorFields {
  to?: string;
}

export function addConfig(program: Command, context: CommandContext): void {
  const group = program
    .command('config')
    .description('the configuration of the site: brand, origin, mode and services')
    .addHelpText(
      'after',
      '\nExamples:\n  $ npx @site/cli config show > site.json\n  $ npx @site/cli config set ' +
        'site.json --reason "a new ' +
        'phone number"',
    );

  const show = group
    .command('show')
    .description('print the live configuration as one JSON document')
    .addOption(channelOption());
  addCommonOptions(show, 'config show > site.json').action((options: { channel: ChannelName }) =>
    showConfig(context, options.channel),
  );

  const set = group
    .command('set')
    .description('make a configuration live; all versions stay the same; for ops')
    .argument('[file]', 'the complete configuration, as printed by "config show"')
    .option('--brand <file>', 'only the brand (JSON); everything else stays the same')
    .option('--clear-browsers', 'after a hostile version: browsers remove once what it stored');
  addReleaseOptions(
    addAuthorOptions(set, { needsReason: true }),
    'config set --brand acme.json --reason "we are called Acme now"',
    'config set site.json --dry-run --reason "what would change?"',
  )
    .addHelpText('after', `\nExample for --brand:\n${indented(JSON.stringify(BRAND_EXAMPLE, null, 2))}`)
    .action((file: string | undefined, options: SetOptions) => {
      if ([file, options.brand, options.clearBrowsers].filter((given) => given !== undefined).length !== 1)
        set.error('error: name one file: "config set <file>", or "config set --brand <file>"');
      return setConfig(context, file, options);
    });

  const rollback = group
    .command('rollback')
    .description('restore the previous configuration; all versions stay the same; for ops')
    .option('--to <release>', 'the configuration of this release, such as r12', parseReleaseId);
  addReleaseOptions(
    addAuthorOptions(rollback, { needsReason: true }),
    'config rollback --reason "the old name is back"',
  ).action((options: RollbackOptions) => rollBackConfig(context, options));
}

async function showConfig(context: CommandContext, channel: ChannelName): Promise<void> {
  const { config } = await readLive(await connect(context), channel);
  printJson(context, config);
}

async function setConfig(
  context: CommandContext,
  file: string | undefined,
  options: SetOptions,
): Promise<void> {
  const { channel, dryRun, brand, clearBrowsers } = options;
  const visitorDataSince = new Date().toISOString();
  let changed: string[] = [];
  await changeChannel(context, options, {
    async order(registry) {
      const live = await readLive(registry, channel);
      const config: SiteConfig =
        file !== undefined
          ? readSiteConfig(resolve(file))
          : clearBrowsers
            ? { ...live.config, visitorDataSince }
            : { ...live.config, brand: readBrandFile(resolve(brand ?? '')) };
      if (file !== undefined) {
        const { registryUrl } = await readSettings(context.root, context.env);
        for (const line of sharedDomainWarnings(config, registryUrl)) context.io.err(`${line}\n`);
      }
      // Settings that are not in the file come from a release read earlier: `ifLive` keeps a concurrent
      // change from being reverted.
      const body = { apps: {}, config, ...pickAuthorFields(options), ifLive: live.id, dryRun };
      const answer = await registry.createRelease({ params: { channel }, body });
      changed = changedSettings(live, answer);
      return answer;
    },
    goal: ({ release }) => servesLive(release.id),
    done: ({ release }) => `${release.id} is live on ${channel}`,
    nothing: ({ release }) => `${release.id} is already live on ${channel} with this configuration`,
    more: () =>
      clearBrowsers
        ? [...changed, `End guest tokens too: restart the gateways with TOKENS_SINCE=${visitorDataSince}`]
        : changed,
  });
}

async function rollBackConfig(context: CommandContext, options: RollbackOptions): Promise<void> {
  const { channel, to, key, dryRun } = options;
  let changed: string[] = [];
  await changeChannel(context, options, {
    async order(registry) {
      const live = await readLive(registry, channel);
      // As with an app, the user means the currently live configuration. An explicit key or target makes
      // retries safe.
      if (key === undefined && to === undefined) await refuseTwice(registry, live);
      const body = { to, ...pickAuthorFields(options), dryRun };
      const headers = { 'if-live-release': live.id };
      const answer = await registry.rollBackConfig({ params: { channel }, headers, body });
      changed = changedSettings(live, answer);
      return answer;
    },
    takesAway: true,
    goal: ({ release }) => servesLive(release.id),
    done: ({ release }) => `${release.id} is live on ${channel}`,
    nothing: ({ release }) => `${release.id} is already live on ${channel}`,
    more: () => changed,
  });
}

/**
 * The live configuration may already be the result of a previous run of this command.
 * @throws CliError `rolled_back_already`.
 */
async function refuseTwice(registry: RegistryClient, { channel, config }: Release): Promise<void> {
  const { releases } = await registry.listReleases({ params: { channel }, query: { limit: PAGE } });
  const shown = releases.filter(({ canary }) => !canary);
  const other = shown.findIndex((release) => configChanges(release.config, config).length > 0);
  const last = shown[other - 1];
  if (last?.kind !== 'rollback') return;
  throw new CliError(
    'rolled_back_already',
    `The configuration was rolled back by ${last.by} at ${timeText(last.at)} (${last.id}: "${last.reason}"), and ` +
      'that is live. There is nothing to do. If it is bad as well, name the release whose configuration to ' +
      'restore: "--to <release>".',
  );
}

/** Empty and missing are equal. No lines if the change was based on another release. */
function changedSettings(seen: Release, { release }: ChangeAnswer): string[] {
  if (release.parent !== seen.id) return [];
  return configChanges(seen.config, release.config)
    .filter(({ from, to }) => from || to)
    .map(({ key, from, to }) => `${key}: ${from || 'none'} → ${to || 'none'}`);
}

/** @throws CliError `nothing_live`. */
export async function readLive(registry: RegistryClient, channel: string) {
  const { release } = await registry.readChannel({ params: { channel } });
  if (release) return release;
  throw new CliError(
    'nothing_live',
    `Nothing is live on ${channel}: the first release needs a configuration ("npx @site/cli activate <app…> --config ` +
      '<file>").',
  );
}
