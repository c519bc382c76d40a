import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs `npx @site/cli …` of a checkout in a child process, with only `env` in its environment. */
export async function siteIn(
  checkout: string,
  env: Record<string, string>,
  ...args: string[]
): Promise<Ended> {
  const child = spawn(process.execPath, [join(checkout, 'delivery/cli/bin/site.mjs'), ...args], {
    cwd: checkout,
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...written };
}
