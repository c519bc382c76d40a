import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import {
  LONGEST_LOOK_MINUTES,
  LOOK_MINUTES,
  type HealthRow,
} from '@site/contract/registry-calls/guard.calls';
import { timeText } from '@site/contract/text';
import { CliError } from '../cli-error.ts';
import { table } from '../output.ts';
import type { RegistryClient } from '../registry-client.ts';
import { connect, printJson, printTable, type CommandContext } from './command-context.ts';
import { addCommonOptions, channelOption, parseMinutes, type ChannelOptions } from './options.ts';
import { milliseconds } from './overview.command.ts';

interface Options extends ChannelOptions {
  route?: string;
  since: number;
  versions?: string[];
  watch?: true;
  overTime?: true;
}

const WATCH_EVERY_MS = 2_000;

export function addHealth(program: Command, context: CommandContext): void {
  const command = program
    .command('health')
    .description('health of each version by route: views, faults, latencies and the verdict')
    .argument('[app]', 'only this app (default: the app of the current folder, or all)')
    .addOption(channelOption())
    .option('--route <path>', 'only this page, such as /blocks')
    .option(
      '--since <time>',
      'the time range, in minutes, hours or days, such as 30m, 1h, 7d',
      parseMinutes(LONGEST_LOOK_MINUTES),
      LOOK_MINUTES,
    )
    .option('--versions <version...>', 'only these')
    .option(
      '--over-time',
      'one app over time: all routes together, in steps of five minutes, or an hour for more than two days',
    )
    .option('--watch', 'repeat every two seconds, until Ctrl-C');
  addCommonOptions(
    command,
    'health',
    'health mfe-blocks --route /blocks --since 30m',
    'health mfe-blocks --over-time --since 7d',
    'health mfe-blocks --versions 1.0.0-3f2a9c01b7de 1.0.0-77aa01b2c3d4 --watch',
  ).action((named: string | undefined, options: Options) => {
    const app = named ?? context.ownApp ?? undefined;
    if (!options.overTime) return health(context, app, options);
    if (app === undefined || options.route !== undefined || options.watch) {
      return command.error(
        'error: --over-time needs one app, and cannot be combined with --route or --watch',
      );
    }
    return overTime(context, app, options);
  });
}

async function health(context: CommandContext, app: string | undefined, options: Options): Promise<void> {
  const registry = await connect(context);
  const show = async () => {
    const answer = await ask(registry, app, options);
    if (options.json) printJson(context, answer);
    else context.io.out(describe(answer, options.channel));
  };
  await show();
  let told = '';
  while (options.watch) {
    await sleep(WATCH_EVERY_MS, undefined, { signal: context.signal }).catch(() => undefined);
    if (context.signal?.aborted) return;
    try {
      await show();
      told = '';
    } catch (error) {
      if (context.signal?.aborted) return;
      // It responded before, so it is probably restarting.
      if (!isAway(error)) throw error;
      if (error.message !== told) context.io.err(`${error.message} Trying again every two seconds.\n`);
      told = error.message;
    }
  }
}

const away = new Set([
  'registry_unreachable',
  'registry_answer_invalid',
  'internal',
  'unavailable',
  'rate_limited',
]);
const isAway = (error: unknown): error is CliError => error instanceof CliError && away.has(error.code);

async function overTime(
  context: CommandContext,
  app: string,
  { channel, since: minutes, versions, json }: Options,
): Promise<void> {
  const answer = await (
    await connect(context)
  ).readSeries({ params: { channel }, query: { app, minutes, versions: versions?.join(',') } });
  if (json) return printJson(context, answer);
  const rows = answer.rows.flatMap(({ version, canary, points }) =>
    points.map(({ at, views, faults, lcp, inp }) => [
      timeText(at),
      canary ? `${version} canary` : version,
      views.toLocaleString('en-US'),
      String(faults),
      milliseconds(lcp),
      milliseconds(inp),
    ]),
  );
  printTable(
    context,
    ['FROM', 'VERSION', 'VIEWS', 'FAULTY', 'LCP', 'INP'],
    rows.toSorted(byFirst),
    `no data for ${app} since ${timeText(answer.since)}`,
  );
}

const byFirst = ([a = '']: string[], [b = '']: string[]) => (a < b ? -1 : a > b ? 1 : 0);

function ask(registry: RegistryClient, app: string | undefined, options: Options) {
  const { channel, route, since: minutes, versions } = options;
  return registry.readHealth({
    params: { channel },
    query: { app, route, minutes, versions: versions?.join(',') },
  });
}

function describe({ since, rows }: { since: string; rows: readonly HealthRow[] }, channel: string): string {
  if (rows.length === 0) return `no data for ${channel} since ${timeText(since)}\n`;
  const cells = rows.map(({ app, version, route, canary, views, faults, onlyIn, forms, p75, verdict }) => [
    route,
    app,
    canary ? `${version} canary` : version,
    views.toLocaleString('en-US'),
    faults
      ? `${percent(faults.rate)} ` +
        `(${percent(faults.low)}–${percent(faults.high)})${onlyIn === null ? '' : ` only in ${onlyIn}`}`
      : '-',
    milliseconds(p75.lcp),
    milliseconds(p75.inp),
    p75.cls === null ? '-' : p75.cls.toFixed(3),
    forms.sent + forms.failed === 0 ? '-' : `${forms.failed} of ${forms.sent + forms.failed}`,
    verdict ?? '-',
  ]);
  const heading = [
    'ROUTE',
    'APP',
    'VERSION',
    'VIEWS',
    'FAULTS (95 %)',
    'LCP',
    'INP',
    'CLS',
    'FORMS FAILED',
    'VERDICT',
  ];
  return `since ${timeText(since)}; LCP, INP and CLS: the 75th percentile\n${table([heading, ...cells])}`;
}

const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
