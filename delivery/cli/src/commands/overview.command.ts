import type { Command } from 'commander';
import type { AppLine, Health, Overview } from '@site/contract/registry-calls/view.calls';
import { timeText } from '@site/contract/text';
import { lines, table } from '../output.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';
import { addCommonOptions, channelOption, type ChannelOptions } from './options.ts';

export function addOverview(program: Command, context: CommandContext): void {
  const command = program
    .command('overview')
    .description('live versions, their health in the last hour, and open problems')
    .addOption(channelOption());
  addCommonOptions(command, 'overview').action((options: ChannelOptions) => overview(context, options));
}

async function overview(context: CommandContext, { channel, json }: ChannelOptions): Promise<void> {
  const answer = await (await connect(context)).readOverview({ params: { channel } });
  if (json) return printJson(context, answer);
  context.io.out([attentionText(answer) + recentText(answer), appsTable(answer)].join('\n'));
}

function attentionText({ needs }: Overview): string {
  if (needs.length === 0) return 'nothing needs a person\n';
  return lines(
    needs.map(({ kind, app, version, since, says }) => {
      const about = app === null ? '' : ` ${version === null ? app : `${app}@${version}`}`;
      return `${kind}${about} since ${timeText(since)}: ${says}`;
    }),
  );
}

export function recentText({ recent = [] }: Pick<Overview, 'recent'>): string {
  return lines(
    recent.map(
      ({ app, version, release, at, by, publishedBy, says }) =>
        `${by} rolled back ${app}@${version} (${release}, published by ${publishedBy}) at ${timeText(at)}, ` +
        `nothing is left to do: ${says}`,
    ),
  );
}

function appsTable({ apps }: Overview): string {
  const heading = ['APP', 'LIVE', 'SINCE', 'BY', 'VERDICT', ...healthHeading, 'CANARY', 'FROZEN'];
  return table([heading, ...apps.map(appRow)]);
}

function appRow({ app, live, leftOut, retired, standing, health, canary, frozen }: AppLine): string[] {
  return [
    app,
    live?.version ?? (retired ? 'retired' : leftOut === null ? '-' : 'left out'),
    live ? timeText(live.at) : '-',
    live?.by ?? '-',
    standing?.verdict ?? '-',
    ...healthCells(health),
    canary ? `${canary.version ?? 'none'} ${canary.standing?.verdict ?? ''}`.trim() : '-',
    frozen ? `by ${frozen.by}` : '-',
  ];
}

export const healthHeading = ['VIEWS', 'FAULTS PER 1,000', 'LCP', 'INP'];

export function healthCells({
  views,
  faults,
  lcp,
  inp,
}: Pick<Health, 'views' | 'faults' | 'lcp' | 'inp'>): string[] {
  return [
    views.toLocaleString('en-US'),
    faults ? (faults.rate * 1_000).toFixed(1) : '-',
    milliseconds(lcp),
    milliseconds(inp),
  ];
}

export const milliseconds = (time: number | null): string => (time === null ? '-' : `${time} ms`);
