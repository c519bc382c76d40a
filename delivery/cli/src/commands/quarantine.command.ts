import type { Command } from 'commander';
import type { QuarantineAnswer } from '@site/contract';
import { CliError } from '../cli-error.ts';
import type { RegistryClient } from '../registry-client.ts';
import { connect, printJson, printLines, type CommandContext } from './command-context.ts';
import { addChangeOptions, reasonOption, type ChangeOptions } from './options.ts';
import { parseVersion } from './target.ts';

interface Options extends ChangeOptions {
  reason: string;
}

export function addQuarantine(program: Command, context: CommandContext): void {
  const quarantine = program
    .command('quarantine')
    .description('forbid activating this version; does not change the live site')
    .argument('<app@version>', 'the version')
    .requiredOption(...reasonOption);
  addChangeOptions(quarantine, 'quarantine mfe-blocks@1.0.0-3f2a9c01b7de --reason "loses the form"').action(
    (target: string, options: Options) => setQuarantine(context, target, options, 'quarantineVersion'),
  );

  const unquarantine = program
    .command('unquarantine')
    .description('lift the quarantine of a version')
    .argument('<app@version>', 'the version')
    .requiredOption(...reasonOption);
  addChangeOptions(
    unquarantine,
    'unquarantine mfe-blocks@1.0.0-3f2a9c01b7de --reason "it was the gateway"',
  ).action((target: string, options: Options) =>
    setQuarantine(context, target, options, 'unquarantineVersion'),
  );
}

async function setQuarantine(
  context: CommandContext,
  target: string,
  options: Options,
  change: 'quarantineVersion' | 'unquarantineVersion',
): Promise<void> {
  const { app, version } = parseVersion(target);
  const registry = await connect(context, options);
  const { reason, dryRun } = options;
  const answer = await registry[change]({ params: { app, version }, body: { reason, dryRun } });
  if (options.json) return printJson(context, answer);
  const live = answer.quarantined ? answer.live : [];
  // Queries must not use the change's key.
  const asking = await connect(context);
  const ways = await Promise.all(
    live.map((channel) => removalCommand(asking, channel, { app, version, reason })),
  );
  printLines(context, describe(answer, ways));
}

/** A rollback if possible. */
async function removalCommand(
  registry: RegistryClient,
  channel: string,
  { app, version, reason }: { app: string; version: string; reason: string },
): Promise<string> {
  const stays = `it stays live on ${channel}`;
  try {
    await registry.rollBack({
      params: { channel },
      body: { app, from: version, reason, dryRun: true },
    });
  } catch (error) {
    if (error instanceof CliError && error.code === 'no_good_version') {
      const fix = `publish and activate a fixed one: npx @site/cli publish ${app} --activate${on(channel)}`;
      const retire = `, or take it off the site: npx @site/cli retire ${app}${on(channel)} --reason "…"`;
      return `${stays}, and there is no good version to roll back to: ${fix}${app === 'shell' ? '' : retire}`;
    }
  }
  return `${stays}: remove it with npx @site/cli rollback ${app}@${version}${on(channel)} --reason "…"`;
}

const on = (channel: string) => (channel === 'production' ? '' : ` --channel ${channel}`);

function describe(
  { app, version, changed, quarantined, canary, fallback, dryRun }: QuarantineAnswer,
  ways: readonly string[],
): string[] {
  const name = `${app}@${version}`;
  const now = quarantined ? `quarantined: "${quarantined.reason}"` : 'not quarantined';
  return [
    dryRun
      ? `dry run: nothing was changed. The result would be: ${name} is ${now}`
      : changed
        ? `${name} is ${now}`
        : `nothing to do: ${name} is already ${now}`,
    ...ways,
    ...(quarantined ? canary : []).map(
      (channel) =>
        `the canary of ${channel} still shows it: remove it with npx @site/cli rollback ` +
        `${name}${on(channel)} --reason "…"`,
    ),
    ...(quarantined ? fallback : []).map(
      ({ channel, live: current }) =>
        `warning: browsers on ${channel} still fall back to it when the live version does not load: npx @site/cli ` +
        `activate ${app}@${current} --channel ${channel} replaces the fallback`,
    ),
  ];
}
