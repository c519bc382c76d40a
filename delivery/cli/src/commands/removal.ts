import type { Command } from 'commander';
import { addChangeOptions, reasonOption, type ChangeOptions } from './options.ts';

export interface RemovalOptions extends ChangeOptions {
  reason: string;
}

interface Removal {
  name: string;
  description: string;
  example: string;
  remove(id: string, options: RemovalOptions): Promise<void>;
}

export function addRemoval(group: Command, { name, description, example, remove }: Removal): void {
  const command = group
    .command(name)
    .description(description)
    .argument('<id>', `as "${group.name()} list" shows it`)
    .requiredOption(...reasonOption);
  addChangeOptions(command, example).action(remove);
}
