import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@site/server/testing/free-ports';

/** The repository that the tests run in. */
export const repository = join(import.meta.dirname, '../../..');
const pinnedNode = join(repository, 'node_modules/.bin/node');

export interface SiteOptions {
  port?: number;
  dataDir?: string;
  /** The checkout to run; this one when left out. */
  root?: string;
  env?: Record<string, string>;
}

/** The whole site as its own process, started as `npm start` starts it. */
export interface Site {
  url: string;
  gateway: string;
  forms: string;
  registry: string;
  /** Where the edge answers operators. */
  ops: string;
  port: number;
  dataDir: string;
  /** What it has printed so far. */
  output(): string;
  /** Runs `site <args>` against it. Never rejects: the exit code is part of the answer. */
  cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** kill -9. */
  kill(): Promise<void>;
}

/** All tests come from one address. */
const unlimited = { FORM_POSTS_PER_HOUR: '0', REFERRALS_PER_DAY: '0', CAPTCHAS_PER_HOUR: '0' };

/** An empty folder for the data of one site. */
export function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'site-data-'));
}

/** Starts a site and waits for its `ready:` line. @throws Error with its output when it ends before. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const port = options.port ?? (await freePorts(5));
  const dataDir = options.dataDir ?? (await newDataDir());
  const root = options.root ?? repository;
  const env = {
    ...process.env,
    NODE_ENV: '',
    PORT: String(port),
    DATA_DIR: dataDir,
    ...unlimited,
    ...options.env,
  };
  const child = spawn(pinnedNode, ['delivery/local/src/start.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await ready(child, () => output);

  const exited = once(child, 'exit') as Promise<[number | null]>;
  return {
    url: `http://localhost:${port}`,
    gateway: `http://localhost:${port + 1}/`,
    forms: `http://localhost:${port + 2}/`,
    registry: `http://localhost:${port + 3}`,
    ops: `http://localhost:${port + 4}`,
    port,
    dataDir,
    output: () => output,
    cli: (...args) => runCli(root, args, { ...env, SITE_REGISTRY: `http://localhost:${port + 3}` }),
    async stop() {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function ready(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (/^ready: /m.test(output())) resolve();
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => {
      reject(new Error(`The site ended with ${String(code)} before it was ready:\n${output()}`));
    });
  });
}

/** Runs `site <args>` from a checkout. */
export function runCli(
  root: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      pinnedNode,
      [join(root, 'delivery/cli/bin/site.mjs'), ...args],
      { cwd: root, env, maxBuffer: 32 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      },
    );
  });
}
