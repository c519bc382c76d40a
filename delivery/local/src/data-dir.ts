import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '@site/server/config';

/** @throws ConfigError when it cannot be made. */
export async function createDataDir(dataDir: string): Promise<void> {
  try {
    // It holds keys, tokens and visitors' data: nobody else on this machine may look into it.
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new ConfigError(
      `DATA_DIR is "${dataDir}", which is not a folder and cannot be created (${(cause as Error).message}). ` +
        'Set it to a folder that this user can write to.',
      { cause },
    );
  }
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
