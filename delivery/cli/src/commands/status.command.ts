import type { Command } from 'commander';
import type { ChannelAnswer } from '@site/contract';
import { provenanceText } from '@site/contract/provenance';
import { change } from '@site/contract/change-lines';
import { lines as formatLines, table } from '../output.ts';
import { timeText } from '@site/contract/text';
import type { RegistryClient } from '../registry-client.ts';
import { edgesTable } from './edge.command.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';
import { recentText } from './overview.command.ts';
import { describeFreezes } from './freeze.command.ts';
import { addCommonOptions, channelOption, type ChannelOptions } from './options.ts';

type Apps = Awaited<ReturnType<RegistryClient['listApps']>>['apps'];

export function addStatus(program: Command, context: CommandContext): void {
  const command = program
    .command('status')
    .description('the live release with time and author, the canary, freezes, and the release of each edge')
    .addOption(channelOption());
  addCommonOptions(command, 'status', 'status --channel staging --json').action((options: ChannelOptions) =>
    status(context, options),
  );
}

async function status(context: CommandContext, { channel, json }: ChannelOptions): Promise<void> {
  const registry = await connect(context);
  const answer = await registry.readChannel({ params: { channel } });
  const { apps } = await registry.listApps({ query: { channel } });
  const { recent } = await registry.readOverview({ params: { channel } });
  const quarantined = new Set(
    apps.flatMap(({ app, quarantined }) => quarantined.map((version) => `${app}@${version}`)),
  );
  if (json) return printJson(context, { ...answer, apps, recent, quarantined: [...quarantined] });
  const parts = [
    headline(channel, answer) + recentText({ recent }),
    appsTable(answer, apps, quarantined),
    edgesTable(answer.edges),
  ];
  context.io.out(parts.join('\n'));
}

function headline(channel: string, { release, canary, freezes }: ChannelAnswer): string {
  const lines = [
    release
      ? `${release.id} has been live on ${channel} since ${timeText(release.at)}, by ${release.by}: ${release.reason}`
      : `nothing is live on ${channel} yet`,
  ];
  if (canary) {
    const { release: shown, share, since, by } = canary;
    lines.push(
      `${shown.id} is its canary with ${share} % of the visitors, since ${timeText(since)}, by ${by}: ${shown.reason}`,
      ...differences(release?.apps ?? {}, shown.apps).map((item) => `  ${change(item)}`),
    );
  }
  lines.push(...describeLeftOut(channel, release), ...describeRetired(channel, release));
  if (freezes.length > 0) lines.push(...describeFreezes(channel, freezes));
  return formatLines(lines);
}

function describeLeftOut(channel: string, release: ChannelAnswer['release']): string[] {
  const on = channel === 'production' ? '' : ` --channel ${channel}`;
  return Object.entries(release?.leftOut ?? {}).map(
    ([app, version]) =>
      `${app} is left out of ${channel}; it had ${version}. Restore it: npx @site/cli activate ${app}@${version}${on}`,
  );
}

function describeRetired(channel: string, release: ChannelAnswer['release']): string[] {
  const on = channel === 'production' ? '' : ` --channel ${channel}`;
  return Object.entries(release?.retired ?? {}).map(
    ([app, { version, to }]) =>
      `${app} is retired on ${channel}; it had ${version}, and its paths ` +
      `${to === null ? 'respond with 410 Gone' : `redirect to ${to}`}. Restore it: npx @site/cli rollback ` +
      `${app}${on} --reason "…"`,
  );
}

function differences(from: Record<string, string>, to: Record<string, string>) {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((app) => from[app] !== to[app])
    .sort()
    .map((app) => ({ app, from: from[app] ?? null, to: to[app] ?? null }));
}

function appsTable({ release }: ChannelAnswer, apps: Apps, quarantined: ReadonlySet<string>): string {
  const rows = apps.map(({ app, newest, publishedAt, provenance }) => {
    const live = release?.apps[app] ?? '-';
    const marked = (version: string) =>
      quarantined.has(`${app}@${version}`) ? `${version} quarantined` : version;
    return [
      app,
      marked(live),
      marked(release?.lastGood[app] ?? '-'),
      live === newest ? 'is live' : marked(newest),
      timeText(publishedAt),
      provenanceText({ provenance }),
    ];
  });
  return table([['APP', 'LIVE', 'LAST GOOD', 'NEWEST', 'PUBLISHED', 'LIVE FROM'], ...rows]);
}
