import type { Command } from 'commander';
import { table, time } from '../output.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';
import { channelOption } from './release-options.ts';

interface Options {
  channel: string;
  json?: true;
}

export function addStatus(program: Command, context: CommandContext): void {
  program
    .command('status')
    .description('what is live, since when and by whom, and which edges serve it')
    .addOption(channelOption())
    .option('--json', 'print the result as JSON')
    .action((options: Options) => status(context, options));
}

async function status(context: CommandContext, { channel, json }: Options): Promise<void> {
  const registry = await connect(context);
  const { state, release, edges } = await registry.channel(channel);
  const apps = await registry.apps();
  if (json) return printJson(context, { state, release, edges, apps });

  const { out } = context.io;
  out(
    release
      ? `${release.id} is live on ${channel} since ${time(release.at)}, by ${release.by}: ${release.reason}\n`
      : `nothing is live on ${channel} yet\n`,
  );
  if (state.candidate)
    out(`${state.candidate.release} is seen by ${state.candidate.share} % of the visitors\n`);
  out('\n');
  const rows = apps.map(({ app, newest, publishedAt }) => {
    const live = release?.apps[app] ?? '-';
    return [
      app,
      live,
      release?.lastGood[app] ?? '-',
      live === newest ? 'is live' : newest,
      time(publishedAt),
    ];
  });
  out(table([['APP', 'LIVE', 'LAST GOOD', 'NEWEST', 'PUBLISHED'], ...rows]));
  out('\n');
  out(
    edges.length === 0
      ? 'no edge has reported\n'
      : table([
          ['EDGE', 'SERVES', 'SEEN'],
          ...edges.map(({ id, release: serves, seenAt, alive }) => [
            id,
            serves ?? 'nothing',
            alive ? 'now' : time(seenAt),
          ]),
        ]),
  );
}
