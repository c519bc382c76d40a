import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { letGo } from './let-go.ts';

/** A real PostgreSQL server for tests, empty, on a free port, gone after `stop`. */
export interface TestPostgres {
  /** The URL of its database `site`. */
  url: string;
  stop(): Promise<void>;
}

/** Starts one (about 2 s). Its data lives in a temporary folder. */
export async function startPostgres(): Promise<TestPostgres> {
  // Jest runs from the root of the repository; `import.meta` is not there in its CommonJS modules.
  const script = join(process.cwd(), 'shared/server/src/testing/run-postgres.ts');
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let messages = '';
  child.stderr.on('data', (chunk: Buffer) => (messages += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    void ended.then(() => reject(new Error(`PostgreSQL for tests did not start: ${messages}`)));
  });
  // A test that fails to stop the server must not keep Jest from ending: the server ends with its standard input.
  letGo(child);
  return {
    url,
    stop: async () => {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}
