import type { Command } from 'commander';
import type { ChannelName } from '@site/contract';
import { SearchedTextSchema } from '@site/contract/registry-calls/fields';
import { timeText } from '@site/contract/text';
import { table } from '../output.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';
import { addCommonOptions, channelOption, parseAs, type CommonOptions } from './options.ts';

interface Options extends CommonOptions {
  channel: ChannelName;
}

export function addSearch(program: Command, context: CommandContext): void {
  const command = program
    .command('search')
    .description('find apps, versions (by id or commit), releases (by id, reason or author) and people')
    .argument('<text>', 'part of the name, id or reason', parseAs(SearchedTextSchema))
    .addOption(channelOption());
  addCommonOptions(command, 'search 3f2a9c', 'search "wrong promise"').action(
    (text: string, options: Options) => search(context, text, options),
  );
}

async function search(context: CommandContext, text: string, { channel, json }: Options): Promise<void> {
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
  if (rows.length === 0) {
    context.io.out('nothing was found\n');
    return;
  }
  context.io.out(table([['KIND', 'NAME', 'AT', 'BY', 'MORE'], ...rows]));
}
