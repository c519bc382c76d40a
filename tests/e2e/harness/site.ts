import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { runHere } from '@site/cli/testing/run-here';
import type { Brand } from '@site/contract';
import { freePorts } from '@site/server/testing/free-ports';
import { endWithThisProcess } from '@site/server/testing/let-go';

export const repository = join(import.meta.dirname, '../../..');
const pinnedNode = join(repository, 'node_modules/.bin/node');

export interface SiteOptions {
  port?: number;
  dataDir?: string;
  root?: string;
  /**
   * Whether it runs on the embedded database in its data folder, like a plain `npm start`. A database server takes a
   * third of the work.
   */
  embedded?: boolean;
  env?: Record<string, string>;
  /** Serves site, gateway and forms over TLS, as in production. */
  https?: boolean;
  /** Default: `brand.json`. */
  brand?: Brand;
}

export interface Site {
  url: string;
  gateway: string;
  forms: string;
  registry: string;
  ops: string;
  port: number;
  dataDir: string;
  /** The database, unless it is in the data folder. */
  databaseUrl: string | undefined;
  output(): string;
  /** Runs `site <args>` against it. Never rejects: the result contains the exit code. */
  cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

/** All tests come from one IP address. */
const unlimited = { FORM_POSTS_PER_HOUR: '0', REFERRALS_PER_DAY: '0', CAPTCHAS_PER_HOUR: '0' };

function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'site-data-'));
}

/** The folders with files by hash and with their compressed copies. */
const blobFolder = (dataDir: string) => join(dataDir, 'artifacts/blobs');

/**
 * Keeps a site's compressed files for sites that start later in this run. They still publish and render, but do not
 * compress the same bytes again, which is most of the work of a first start.
 */
export async function keepCompressed({ dataDir }: Pick<Site, 'dataDir'>): Promise<void> {
  const kept = await newDataDir();
  await cp(blobFolder(dataDir), blobFolder(kept), { recursive: true });
  process.env['COMPRESSED_FILES'] = kept;
}

/** A data folder for one site, empty except for the files of `keepCompressed`. */
async function dataDirWithFiles(): Promise<string> {
  const dataDir = await newDataDir();
  const kept = process.env['COMPRESSED_FILES'];
  // Copied, not linked: tests damage files.
  if (kept !== undefined) await cp(blobFolder(kept), blobFolder(dataDir), { recursive: true });
  return dataDir;
}

export async function brandFile(brand: Brand): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'site-brand-')), 'brand.json');
  await writeFile(file, JSON.stringify(brand));
  return file;
}

/** Starts a site and waits for its `ready:` line. @throws Error with its output if it exits before. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const port = options.port ?? (await freePorts(5));
  const dataDir = options.dataDir ?? (await (options.embedded ? newDataDir() : dataDirWithFiles()));
  const root = options.root ?? repository;
  const databaseUrl = options.embedded ? undefined : await createSiteDatabase(dataDir);
  const env = {
    ...process.env,
    NODE_ENV: '',
    PORT: String(port),
    DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...unlimited,
    ...(options.brand ? { SITE_BRAND: await brandFile(options.brand) } : {}),
    ...options.env,
  };
  const child = spawn(pinnedNode, ['delivery/local/src/start.ts', ...(options.https ? ['--https'] : [])], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child, 'SIGTERM');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await ready(child, () => output);

  const exited = once(child, 'exit') as Promise<[number | null]>;
  const scheme = options.https ? 'https' : 'http';
  return {
    url: `${scheme}://localhost:${port}`,
    gateway: `${scheme}://localhost:${port + 1}/`,
    forms: `${scheme}://localhost:${port + 2}/`,
    registry: `http://localhost:${port + 3}`,
    ops: `http://localhost:${port + 4}`,
    port,
    dataDir,
    databaseUrl,
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

/** The database of a data folder, on the PostgreSQL of all browser tests. Created at its first start. */
async function createSiteDatabase(dataDir: string): Promise<string> {
  const url = new URL(process.env['TEST_POSTGRES'] ?? '');
  const name = basename(dataDir);
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  url.pathname = `/${name}`;
  return url.href;
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

/**
 * Runs `site <args>` from a checkout in this process: starting a process takes longer than most commands, and has its
 * own tests.
 */
export async function runCli(
  root: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, out, err } = await runHere(root, env, ...args);
  return { code, stdout: out, stderr: err };
}
