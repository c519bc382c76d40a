import type { Command } from 'commander';
import { CONFIGURATION, type ChannelAnswer } from '@site/contract';
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
    .description('the live release with time and author, the canaries, freezes, and the release of each edge')
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

function headline(channel: string, { release, canaries, freezes }: ChannelAnswer): string {
  const lines = [
    release
      ? `${release.id} has been live on ${channel} since ${timeText(release.at)}, by ${release.by}: ${release.reason}`
      : `nothing is live on ${channel} yet`,
  ];
  for (const { release: shown, app, share } of canaries) {
    lines.push(
      `${shown.id} is the canary of ${app} with ${share} % of the visitors, since ${timeText(shown.at)}, ` +
        `by ${shown.by}: ${shown.reason}`,
      ...(app === CONFIGURATION
        ? []
        : [`  ${change({ app, from: release?.apps[app] ?? null, to: shown.apps[app] ?? null })}`]),
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

function canaryCell(canary: ChannelAnswer['canaries'][number] | undefined): string {
  return canary ? `${canary.release.apps[canary.app]} ${canary.share} %` : '-';
}

function appsTable(
  { release, canaries }: ChannelAnswer,
  apps: Apps,
  quarantined: ReadonlySet<string>,
): string {
  const rows = apps.map(({ app, newest, publishedAt, provenance }) => {
    const live = release?.apps[app] ?? '-';
    const marked = (version: string) =>
      quarantined.has(`${app}@${version}`) ? `${version} quarantined` : version;
    return [
      app,
      marked(live),
      marked(release?.lastGood[app] ?? '-'),
      canaryCell(canaries.find((canary) => canary.app === app)),
      live === newest ? 'is live' : marked(newest),
      timeText(publishedAt),
      provenanceText({ provenance }),
    ];
  });
  return table([['APP', 'LIVE', 'LAST GOOD', 'CANARY', 'NEWEST', 'PUBLISHED', 'LIVE FROM'], ...rows]);
}
