import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import { letGo } from './let-go.ts';

/** A real PostgreSQL server for tests, empty, on a free port, gone after `stop`. */
export interface TestPostgres {
  /** The URL of its database `site`. */
  url: string;
  /** At once, as `kill -9` does it. What was committed is there afterwards. */
  kill(): void;
  /** Starts the server again, at the same address over the same data, after `kill`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts one (about 1 s). Its data lives in a temporary folder.
 *
 * @param durable whether each commit waits for the disk, as an operator's server does: for measurements.
 */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres> {
  // Jest runs from the root of the repository; `import.meta` is not there in what it loads itself (`globalSetup`).
  const script = join(process.cwd(), 'shared/server/src/testing/run-postgres.ts');
  const child = spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, POSTGRES_DURABLE: durable ? 'yes' : 'no' },
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
  // A test that fails to stop the server must not keep Jest from ending: the server ends with its standard input.
  letGo(child);
  return {
    url,
    kill() {
      // Its first line is the id of the process that owns all others.
      const [pid] = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
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
