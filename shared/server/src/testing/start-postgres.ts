import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { serverUrls } from '../postgres-servers.ts';
import { letGo } from './let-go.ts';

export interface TestPostgres {
  url: string;
  /** The standby accepts writes from now on. */
  promote(): Promise<void>;
  /** Like `kill -9` of all its processes. Committed data survives. */
  kill(): void;
  /** Restarts the server after `kill`, with the same address and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts one (about 1 s) in a temporary folder.
 * @param durable whether each commit waits for the disk, as in production: for measurements.
 * @param standby whether a hot standby streams from it; the URL then has both hosts.
 */
export async function startPostgres({ durable = false, standby = false } = {}): Promise<TestPostgres> {
  // Jest runs in the root of the repository; `import.meta` is unavailable in `globalSetup`.
  const script = join(process.cwd(), 'shared/server/src/testing/run-postgres.ts');
  const child = spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      POSTGRES_DURABLE: durable ? 'yes' : 'no',
      POSTGRES_STANDBY: standby ? 'yes' : 'no',
    },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let messages = '';
  child.stderr.on('data', (chunk: Buffer) => (messages += chunk.toString()));
  const lines = createInterface(child.stdout);
  const nextLine = () =>
    new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      void ended.then(() => reject(new Error(`PostgreSQL for tests did not start: ${messages}`)));
    });
  const [url = '', dataFolder = ''] = (await nextLine()).split(' ');
  // A test that fails to stop the server must not keep Jest from exiting: the server ends with its standard
  // input.
  letGo(child);
  return {
    url,
    async promote() {
      const client = new pg.Client(serverUrls(url)[1]);
      await client.connect();
      await client.query('select pg_promote()');
      await client.end();
    },
    kill() {
      // The first line is the id of the parent process.
      const [pid] = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
      // A connection's process ends later than the first one: it must not respond in the meantime.
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      for (const each of [pid, ...children]) process.kill(Number(each), 'SIGKILL');
    },
    restart: async () => {
      const started = nextLine();
      child.stdin.write('start\n');
      await started;
    },
    stop: async () => {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}
