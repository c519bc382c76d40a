import { createRegistryClient, type RegistryClient } from '../registry-client.ts';
import type { Environment } from '../environment.ts';
import { readSettings } from '../settings.ts';
import { lines as formatLines, table, type Io } from '../output.ts';
import type { Place } from '../repository.ts';

export interface CommandContext extends Place {
  env: Environment;
  io: Io;
  /** Aborted by Ctrl-C. */
  signal?: AbortSignal | undefined;
}

export async function connect(
  { root, env, io, signal }: CommandContext,
  { key, app }: { key?: string | undefined; app?: string | undefined } = {},
): Promise<RegistryClient> {
  const onWait = (line: string) => io.err(`${line}\n`);
  return createRegistryClient({ ...(await readSettings(root, env, app)), key, signal, onWait });
}

export function printJson({ io }: CommandContext, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLines({ io }: CommandContext, lines: readonly string[]): void {
  io.out(formatLines(lines));
}

/** @param empty the line without rows. Default: only the heading. */
export function printTable(
  { io }: CommandContext,
  heading: string[],
  rows: readonly string[][],
  empty?: string,
): void {
  io.out(rows.length === 0 && empty !== undefined ? `${empty}\n` : table([heading, ...rows]));
}

export function changeLine({ dryRun, changed }: { dryRun?: boolean | undefined; changed: boolean }): string {
  if (dryRun) return 'dry run: nothing was changed. The result would be:';
  return changed ? 'done' : 'nothing to do';
}

export function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
