import { createRegistryClient, type RegistryClient } from '../registry-client.ts';
import { readSettings, type Environment } from '../settings.ts';
import type { Io } from '../output.ts';

/** What every command gets. */
export interface CommandContext {
  /** The folder of the repository. */
  root: string;
  env: Environment;
  io: Io;
}

/** The registry that the settings name. */
export async function connect({ root, env }: CommandContext): Promise<RegistryClient> {
  return createRegistryClient(await readSettings(root, env));
}

/** One JSON document, the whole standard output of a command with `--json`. */
export function printJson({ io }: CommandContext, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}
