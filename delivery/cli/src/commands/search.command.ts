import type { Command } from 'commander';
import { SearchedTextSchema } from '@site/contract/registry-calls/fields';
import { timeText } from '@site/contract/text';
import { connect, printJson, printTable, type CommandContext } from './command-context.ts';
import { addCommonOptions, channelOption, parseAs, type ChannelOptions } from './options.ts';

export function addSearch(program: Command, context: CommandContext): void {
  const command = program
    .command('search')
    .description('find apps, versions (by id or commit), releases (by id, reason or author) and people')
    .argument('<text>', 'part of the name, id or reason', parseAs(SearchedTextSchema))
    .addOption(channelOption());
  addCommonOptions(command, 'search 3f2a9c', 'search "wrong promise"').action(
    (text: string, options: ChannelOptions) => search(context, text, options),
  );
}

async function search(
  context: CommandContext,
  text: string,
  { channel, json }: ChannelOptions,
): Promise<void> {
  const found = await (await connect(context)).search({ query: { text, channel } });
  if (json) return printJson(context, found);
  const rows = [
    ...found.apps.map(({ app }) => ['app', app, '-', '-', '-']),
    ...found.versions.map(({ app, version, commit, publishedAt, publishedBy }) => [
      'version',
      `${app}@${version}`,
      timeText(publishedAt),
      publishedBy,
      commit?.slice(0, 12) ?? '-',
    ]),
    ...found.releases.map(({ id, at, by, reason }) => ['release', id, timeText(at), by, reason]),
    ...found.people.map(({ name, last }) => ['person', name, timeText(last), '-', '-']),
  ];
  printTable(context, ['KIND', 'NAME', 'AT', 'BY', 'MORE'], rows, 'nothing was found');
}
