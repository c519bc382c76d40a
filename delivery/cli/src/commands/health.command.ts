import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { LONGEST_LOOK_MINUTES, type HealthRow } from '@site/contract/registry-calls/guard.calls';
import { timeText } from '@site/contract/time-text';
import { table } from '../output.ts';
import type { RegistryClient } from '../registry-client.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';
import { addCommonOptions, channelOption, parseMinutes, type CommonOptions } from './options.ts';

interface Options extends CommonOptions {
  channel: string;
  route?: string;
  since: number;
  versions?: string[];
  watch?: true;
}

const WATCH_EVERY_MS = 2_000;

export function addHealth(program: Command, context: CommandContext): void {
  const command = program
    .command('health')
    .description('how each version did on each route: views, faults, times, and the verdict on it')
    .argument('[app]', 'only this app')
    .addOption(channelOption())
    .option('--route <path>', 'only this page, such as /blocks')
    .option(
      '--since <time>',
      'of the last minutes, hours or days, such as 30m, 1h, 7d',
      parseMinutes(LONGEST_LOOK_MINUTES),
      60,
    )
    .option('--versions <version...>', 'only these')
    .option('--watch', 'again every two seconds, until Ctrl-C');
  addCommonOptions(
    command,
    'health',
    'health mfe-blocks --route /blocks --since 30m',
    'health mfe-blocks --versions 1.0.0-3f2a9c01b7de 1.0.0-77aa01b2c3d4 --watch',
  ).action((app: string | undefined, options: Options) => health(context, app, options));
}

async function health(context: CommandContext, app: string | undefined, options: Options): Promise<void> {
  const { watch, json } = options;
  const registry = await connect(context);
  do {
    const answer = await ask(registry, app, options);
    if (json) printJson(context, answer);
    else context.io.out(describe(answer, options.channel));
    if (watch) await sleep(WATCH_EVERY_MS, undefined, { signal: context.signal }).catch(() => undefined);
  } while (watch && !context.signal?.aborted);
}

function ask(registry: RegistryClient, app: string | undefined, options: Options) {
  const { channel, route, since: minutes, versions } = options;
  return registry.readHealth({
    params: { channel },
    query: { app, route, minutes, versions: versions?.join(',') },
  });
}

function describe({ since, rows }: { since: string; rows: readonly HealthRow[] }, channel: string): string {
  if (rows.length === 0) return `nothing was told of ${channel} since ${timeText(since)}\n`;
  const cells = rows.map(({ app, version, route, canary, views, faults, forms, p75, verdict }) => [
    route,
    app,
    canary ? `${version} canary` : version,
    views.toLocaleString('en-US'),
    faults ? `${percent(faults.rate)} (${percent(faults.low)}–${percent(faults.high)})` : '-',
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
const milliseconds = (time: number | null) => (time === null ? '-' : `${time} ms`);
