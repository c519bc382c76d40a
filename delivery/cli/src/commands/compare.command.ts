import type { Command } from 'commander';
import { LONGEST_LOOK_MINUTES } from '@site/contract/registry-calls/guard.calls';
import { LOOK_AT_COMPARED_MINUTES, type VersionsCompared } from '@site/contract/registry-calls/view.calls';
import { byteText, timeText } from '@site/contract/text';
import { table } from '../output.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';
import { addCommonOptions, channelOption, parseMinutes, type ChannelOptions } from './options.ts';
import { healthCells, healthHeading } from './overview.command.ts';

interface Options extends ChannelOptions {
  since: number;
}

export function addCompare(program: Command, context: CommandContext): void {
  const command = program
    .command('compare')
    .description('compare two versions of an app: health, faults, size and pages')
    .argument('<app>', 'shell, or a remote such as mfe-blocks')
    .argument('<version>', 'the first version')
    .argument('<other>', 'the version to compare it with')
    .addOption(channelOption())
    .option(
      '--since <time>',
      'the time range for health, in minutes, hours or days',
      parseMinutes(LONGEST_LOOK_MINUTES),
      LOOK_AT_COMPARED_MINUTES,
    );
  addCommonOptions(command, 'compare mfe-blocks 1.0.0-3f2a9c01b7de 1.0.0-77aa01b2c3d4').action(
    (app: string, version: string, other: string, options: Options) =>
      compare(context, { app, version, control: other }, options),
  );
}

async function compare(
  context: CommandContext,
  params: { app: string; version: string; control: string },
  { channel, since: minutes, json }: Options,
): Promise<void> {
  const answer = await (await connect(context)).compareVersions({ params, query: { channel, minutes } });
  if (json) return printJson(context, answer);
  context.io.out([versionsTable(answer), pagesTable(answer)].join('\n'));
}

function versionsTable({ version, control }: VersionsCompared): string {
  const rows = [version, control].map((one) => [
    one.version,
    timeText(one.publishedAt),
    one.publishedBy,
    one.commit?.slice(0, 12) ?? '-',
    byteText(one.bytes),
    one.quarantined ? 'quarantined' : (one.standing?.verdict ?? '-'),
    ...healthCells(one.health),
    String(one.faults.groups),
  ]);
  const heading = [
    'VERSION',
    'PUBLISHED',
    'BY',
    'COMMIT',
    'SIZE',
    'VERDICT',
    ...healthHeading,
    'DIFFERENT FAULTS',
  ];
  return table([heading, ...rows]);
}

function pagesTable({ version, control }: VersionsCompared): string {
  const paths = [...new Set([...version.pages, ...control.pages].map(({ path }) => path))].sort();
  const sizes = (of: VersionsCompared['version'], path: string) => {
    const page = of.pages.find((one) => one.path === path);
    return page
      ? `${byteText(page.files ?? 0)} + ${page.document === null ? '?' : byteText(page.document)}`
      : '-';
  };
  const rows = paths.map((path) => [path, sizes(version, path), sizes(control, path)]);
  return table([['PAGE (FILES + DOCUMENT)', version.version, control.version], ...rows]);
}
