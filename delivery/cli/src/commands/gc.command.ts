import type { Command } from 'commander';
import { byteText } from '@site/contract/text';
import {
  KEPT_DAYS,
  KEPT_RELEASES,
  MAX_KEPT_DAYS,
  MAX_KEPT_RELEASES,
} from '@site/contract/registry-calls/upkeep.calls';
import { connect, printJson, printLines, type CommandContext } from './command-context.ts';
import { addChangeOptions, parseWholeNumber, type ChangeOptions } from './options.ts';

interface Options extends ChangeOptions {
  keep: number;
  days: number;
}

export function addGc(program: Command, context: CommandContext): void {
  const command = program
    .command('gc')
    .description('delete stored files that no live, canary, last good or recent release needs')
    .option(
      '--keep <number>',
      'number of latest releases to keep per channel',
      parseWholeNumber(1, MAX_KEPT_RELEASES),
      KEPT_RELEASES,
    )
    .option(
      '--days <number>',
      'also keep everything younger than this',
      parseWholeNumber(0, MAX_KEPT_DAYS),
      KEPT_DAYS,
    );
  addChangeOptions(command, 'gc --dry-run', 'gc --keep 50 --days 90').action((options: Options) =>
    collect(context, options),
  );
}

async function collect(context: CommandContext, options: Options): Promise<void> {
  const { keep: keepReleases, days: keepDays, dryRun } = options;
  const registry = await connect(context, options);
  const collected = await registry.collectGarbage({ body: { keepReleases, keepDays, dryRun } });
  if (options.json) return printJson(context, collected);
  const { deleted, versions, kept } = collected;
  const what = `${deleted.blobs} files (${byteText(deleted.bytes)})`;
  printLines(context, [
    collected.dryRun
      ? `dry run: nothing was deleted; this would be: ${what}`
      : `deleted ${what}; ${kept} stay`,
    ...(versions.length === 0
      ? []
      : [
          `${collected.dryRun ? 'could not' : 'cannot'} be activated until published again (files less than a ` +
            'day old are deleted in a later run):',
        ]),
    ...versions.map(({ app, version }) => `  ${app}@${version}`),
  ]);
}
