import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { RestoreAnswer } from '@site/contract';
import { openTar } from '../backup-file.ts';
import { timeText } from '@site/contract/text';
import { connect, printJson, printLines, type CommandContext } from './command-context.ts';
import { addCommonOptions, type CommonOptions } from './options.ts';

/** No `--key`: a registry with data rejects a second restore. */
interface Options extends CommonOptions {
  dryRun?: true;
}

export function addRestore(program: Command, context: CommandContext): void {
  const command = program
    .command('restore')
    .description('restore a backup into an empty registry; every file is verified')
    .argument('<file>', 'what "backup" wrote')
    .option('--dry-run', 'check the file and the registry; change nothing');
  addCommonOptions(command, 'restore backups/2026-11-20.tar').action((file: string, options: Options) =>
    restore(context, file, options),
  );
}

async function restore(context: CommandContext, file: string, { json, dryRun }: Options): Promise<void> {
  const registry = await connect(context);
  const restored = await registry.restoreBackup({
    query: { 'dry-run': dryRun },
    body: await openTar(resolve(file)),
  });
  if (json) return printJson(context, restored);
  const { takenAt, blobs, rows, lacking, inForce } = restored;
  const what = `${file} of ${timeText(takenAt)}: ${blobs} files, ${rows} rows`;
  printLines(context, [
    dryRun ? `dry run: nothing was changed; it can be restored: ${what}` : `restored ${what}`,
    ...lacking.map((integrity) => `  ${integrity} is not in the backup: it was already missing or damaged`),
    ...(inForce ? describeState(inForce, takenAt) : []),
    ...(dryRun ? [] : ['Check it: npx @site/cli verify']),
  ]);
}

function describeState(inForce: NonNullable<RestoreAnswer['inForce']>, takenAt: string): string[] {
  const counts = Object.entries(inForce).map(([what, count]) => `${what} ${count}`);
  return [
    `State as of ${timeText(takenAt)}: ${counts.join(', ')}`,
    'Later revocations, removals, freezes and quarantines are lost. Repeat them: npx @site/cli ' +
      'token list, npx @site/cli ' +
      'trust list, npx @site/cli status',
  ];
}
