import type { Command } from 'commander';
import type { TimelineEntry } from '@site/contract/registry-calls/view.calls';
import { change, retirement } from '@site/contract/change-lines';
import { timeText } from '@site/contract/text';
import { connect, printJson, printTable, type CommandContext } from './command-context.ts';
import { addCommonOptions, channelOption, limitOption, type ChannelOptions } from './options.ts';
import { healthCells } from './overview.command.ts';

interface Options extends ChannelOptions {
  limit: number;
  before?: string;
  health?: true;
}

export function addHistory(program: Command, context: CommandContext): void {
  const command = program
    .command('history')
    .description('the releases of a channel, newest first')
    .argument('[app]', 'only releases that changed this app')
    .addOption(channelOption())
    .option(...limitOption)
    .option('--before <release>', 'only releases before this one, such as r12')
    .option('--health', 'include the health of the changed apps in the hours before and after');
  addCommonOptions(command, 'history', 'history mfe-blocks --limit 5', 'history --health').action(
    (app: string | undefined, options: Options) =>
      options.health ? timeline(context, app, options) : history(context, app, options),
  );
}

async function history(
  context: CommandContext,
  app: string | undefined,
  { channel, limit, before, json }: Options,
): Promise<void> {
  const registry = await connect(context);
  const { releases } = await registry.listReleases({ params: { channel }, query: { app, limit, before } });
  if (json) return printJson(context, { releases });
  const rows = releases.map((release) => releaseCells(release, app));
  printTable(context, heads, rows, `no release of ${channel}${app ? ` changed ${app}` : ''} yet`);
  const last = releases.at(-1);
  if (releases.length === limit && last && last.id !== 'r1') {
    context.io.out(`older ones: add "--before ${last.id}"\n`);
  }
}

async function timeline(
  context: CommandContext,
  app: string | undefined,
  { channel, limit, before, json }: Options,
): Promise<void> {
  const answer = await (
    await connect(context)
  ).readTimeline({ params: { channel }, query: { app, limit, before } });
  if (json) return printJson(context, answer);
  const rows = answer.releases.flatMap((release) => [
    releaseCells(release, app),
    ...release.around.flatMap(({ app: of, before: was, after }) =>
      (['before', 'after'] as const).map((when) => {
        const [views = '', faults = '', lcp = '', inp = ''] = healthCells(when === 'before' ? was : after);
        const cells = `${views} views, ${faults} faults per 1,000, LCP ${lcp}, INP ${inp}`;
        return ['', '', '', when, of, cells];
      }),
    ),
  ]);
  printTable(context, heads, rows);
  if (answer.next !== null) context.io.out(`older ones: add "--before ${answer.next}"\n`);
}

const heads = ['RELEASE', 'AT', 'BY', 'KIND', 'CHANGES', 'REASON'];

function releaseCells(
  {
    id,
    at,
    by,
    kind,
    canary,
    changes,
    retirements,
    reason,
    revoked,
  }: Pick<
    TimelineEntry,
    'id' | 'at' | 'by' | 'kind' | 'canary' | 'changes' | 'retirements' | 'reason' | 'revoked'
  >,
  app: string | undefined,
): string[] {
  const isMeant = (item: { app: string }) => app === undefined || item.app === app;
  return [
    revoked ? `${id} revoked` : id,
    timeText(at),
    by,
    canary ? 'canary' : kind,
    summarise(changes.filter(isMeant), retirements.filter(isMeant)),
    reason,
  ];
}

function summarise(changes: TimelineEntry['changes'], retirements: TimelineEntry['retirements']): string {
  const apps = new Set([...changes, ...retirements].map(({ app }) => app));
  if (apps.size === 0) return 'configuration';
  if (apps.size > 2) return [...apps].join(', ');
  return [...changes.map(change), ...retirements.map(retirement)].join(', ');
}
