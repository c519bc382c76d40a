import { resolve } from 'node:path';
import type { Command } from 'commander';
import { writeBackup } from '../backup-file.ts';
import { byteText } from '@site/contract/text';
import { connect, printJson, printLines, type CommandContext } from './command-context.ts';
import { addCommonOptions, type CommonOptions } from './options.ts';

export function addBackup(program: Command, context: CommandContext): void {
  const command = program
    .command('backup')
    .description('write everything in the registry to one tar file; the site keeps running')
    .argument('<file>', 'a new file');
  addCommonOptions(command, 'backup backups/2026-11-20.tar').action((file: string, options: CommonOptions) =>
    backup(context, file, options),
  );
}

async function backup(context: CommandContext, file: string, { json }: CommonOptions): Promise<void> {
  const registry = await connect(context);
  const size = await writeBackup(resolve(file), () => registry.takeBackup(), context.signal);
  if (json) return printJson(context, { file, bytes: size });
  printLines(context, [
    `${file} is ${byteText(size)}. It holds unpublished versions and personal names: keep it secret.`,
    `Restore it into an empty registry: npx @site/cli restore ${file}`,
  ]);
}
