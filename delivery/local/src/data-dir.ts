import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '@site/server/config';
import { isDiskFull } from '@site/server/error-document';

/** Makes it, and tries whether it can be written: what is wrong is told before anything starts. @throws ConfigError */
export async function createDataDir(dataDir: string): Promise<void> {
  const trial = join(dataDir, `.trial-${process.pid}`);
  try {
    // It holds keys, tokens and visitors' data: nobody else on this machine may look into it.
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(trial, 'x'.repeat(4096), { flush: true });
  } catch (cause) {
    throw unusable(dataDir, cause);
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}

const FULL = ['its disk is full', 'Free some space there, or set DATA_DIR to a folder on another disk.'];
const NO_FOLDER = [
  'it is not a folder, or cannot be made',
  'Set DATA_DIR to a folder that this user can write to.',
];
const NOT_ALLOWED = [
  'this user may not write there',
  'Give it the permission, or set DATA_DIR to another folder.',
];
const REASONS: Partial<Record<string, string[]>> = {
  EROFS: ['its disk is read-only', 'Set DATA_DIR to a folder on another disk.'],
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
};

/** Why nothing can be written into the data folder, and what to do about it. */
export function unusable(dataDir: string, cause: unknown): ConfigError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const [reason, remedy] = isDiskFull(cause) ? FULL : (REASONS[code ?? ''] ?? NO_FOLDER);
  return new ConfigError(
    `The data folder "${dataDir}" (DATA_DIR) cannot be used: ${reason} (${message}). ${remedy}`,
    { cause },
  );
}

/** The addresses under which the servers of this process answer. */
export interface RunningSite {
  site: string;
  gateway: string;
  forms: string;
  registry: string;
}

/** Tells `npx site`, which reads the data folder, where the site runs; until it is closed. */
export async function announce(
  dataDir: string,
  { site, gateway, forms, registry }: RunningSite,
): Promise<{ close(): Promise<void> }> {
  const file = join(dataDir, 'running.json');
  await writeFile(file, JSON.stringify({ pid: process.pid, site, gateway, forms, registry }));
  return { close: () => rm(file, { force: true }) };
}
