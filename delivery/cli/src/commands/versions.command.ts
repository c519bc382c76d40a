import type { Command } from 'commander';
import { provenanceText } from '@site/contract/provenance';
import { timeText } from '@site/contract/text';
import { all, listAllVersions } from '../registry-client.ts';
import { appOr } from '../repository.ts';
import { connect, printJson, printTable, type CommandContext } from './command-context.ts';
import { addCommonOptions, channelOption, type ChannelOptions } from './options.ts';

export function addVersions(program: Command, context: CommandContext): void {
  const command = program
    .command('versions')
    .description('list the versions of an app with their state, latest first')
    .argument('[app]', 'shell, or a remote such as mfe-blocks (default: the app of the current folder)')
    .addOption(channelOption());
  addCommonOptions(command, 'versions mfe-blocks', 'versions mfe-blocks --json').action(
    (app: string | undefined, options: ChannelOptions) => versions(context, appOr(context, app), options),
  );
}

async function versions(
  context: CommandContext,
  app: string,
  { channel, json }: ChannelOptions,
): Promise<void> {
  const registry = await connect(context);
  const found = await all(listAllVersions(registry, app));
  const { release, canaries } = await registry.readChannel({ params: { channel } });
  const listed = found.map((published) => ({
    ...published,
    live: release?.apps[app] === published.version,
    canary: canaries.some(
      (running) => running.app === app && running.release.apps[app] === published.version,
    ),
    lastGood: release?.lastGood[app] === published.version,
  }));
  if (json) return printJson(context, { app, channel, versions: listed });
  const rows = listed.map(
    ({ version, publishedAt, publishedBy, provenance, commit, live, canary, lastGood, ...more }) => [
      version,
      timeText(publishedAt),
      publishedBy,
      provenanceText({ provenance, commit }),
      [
        ...(live ? ['live'] : []),
        ...(canary ? ['canary'] : []),
        ...(lastGood ? ['last good'] : []),
        ...(more.quarantined ? [`quarantined by ${more.quarantined.by}: "${more.quarantined.reason}"`] : []),
        ...(more.collectedAt ? [`collected ${timeText(more.collectedAt)}: publish it again to use it`] : []),
      ].join(', '),
    ],
  );
  printTable(context, ['VERSION', 'PUBLISHED', 'BY', 'FROM', `ON ${channel.toUpperCase()}`], rows);
}
