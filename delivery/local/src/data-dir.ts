import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '@site/server/config';
import { isDiskFull } from '@site/server/error-document';

export async function createDataDir(dataDir: string): Promise<void> {
  const trial = join(dataDir, `.trial-${process.pid}`);
  try {
    // Private, because it contains keys, tokens and visitors' data.
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
  'it is not a folder, or cannot be created',
  'Set DATA_DIR to a folder that this user can write to.',
];
const NOT_ALLOWED = ['permission denied', 'Grant it, or set DATA_DIR to another folder.'];
const REASONS: Partial<Record<string, string[]>> = {
  EROFS: ['its disk is read-only', 'Set DATA_DIR to a folder on another disk.'],
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
};

export function unusable(dataDir: string, cause: unknown): ConfigError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const [reason, remedy] = isDiskFull(cause) ? FULL : (REASONS[code ?? ''] ?? NO_FOLDER);
  return new ConfigError(
    `The data folder "${dataDir}" (DATA_DIR) cannot be used: ${reason} (${message}). ${remedy}`,
    { cause },
  );
}

export interface RunningSite {
  site: string;
  gateway: string;
  forms: string;
  registry: string;
}

export async function announce(
  dataDir: string,
  { site, gateway, forms, registry }: RunningSite,
): Promise<{ close(): Promise<void> }> {
  const file = join(dataDir, 'running.json');
  await writeFile(file, JSON.stringify({ pid: process.pid, site, gateway, forms, registry }));
  return { close: () => rm(file, { force: true }) };
}
