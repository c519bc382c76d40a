import { Argument, type Command } from 'commander';
import type { ReleaseDiff } from '@site/contract';
import { change } from '@site/contract/change-lines';
import { byteText } from '@site/contract/text';
import { table } from '../output.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';
import { addCommonOptions, parseReleaseId, type CommonOptions } from './options.ts';

export function addDiff(program: Command, context: CommandContext): void {
  const command = program
    .command('diff')
    .description('differences between two releases: versions, configuration, pages, files')
    .addArgument(new Argument('<from>', 'a release, such as r12').argParser(parseReleaseId))
    .addArgument(new Argument('<to>', 'another one').argParser(parseReleaseId));
  addCommonOptions(command, 'diff r12 r13').action((from: string, to: string, options: CommonOptions) =>
    diff(context, from, to, options),
  );
}

async function diff(
  context: CommandContext,
  from: string,
  to: string,
  { json }: CommonOptions,
): Promise<void> {
  const found = await (await connect(context)).diffReleases({ params: { release: from, other: to } });
  if (json) return printJson(context, found);
  const rows = diffRows(found);
  context.io.out(
    rows.length === 0 ? `${from} and ${to} are identical\n` : `from ${from} to ${to}:\n${table(rows)}`,
  );
}

function diffRows({ apps, config, pages, files }: ReleaseDiff): string[][] {
  return [
    ...apps.map((item) => ['version', change(item)]),
    ...config.map(({ key, from, to }) => ['setting', `${key} ${from ?? 'none'} → ${to ?? 'none'}`]),
    ...pages.added.map((path) => ['page', `+ ${path}`]),
    ...pages.removed.map((path) => ['page', `- ${path}`]),
    ...files.map(({ app, added, removed, unchanged, bytesFrom, bytesTo }) => [
      'files',
      `${app}: ${added.length} added, ${removed.length} removed, ${unchanged} unchanged, ${byteText(bytesFrom)} ` +
        `→ ${byteText(bytesTo)}`,
    ]),
  ];
}
