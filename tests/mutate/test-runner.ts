import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestSelection } from './recorded-tests.ts';
import type { TestAnswer, TestOrder } from './run-tests.ts';

/** Tests that Jest compiles for a browser. */
const BROWSER = /^(shell|mfe-[^/]+|shared\/(kit|ui|testing)|delivery\/console)\//;
/** A process without a response for this long is in an endless loop. */
const SILENT_MS = 60_000;
const LIMIT_MS = 300_000;
/** Each mutation leaks modules. */
const ORDERS_OF_A_PROCESS = 400;

export type TestResult = { is: 'passed' } | { is: 'failed'; file: string; name: string } | { is: 'limit' };

export interface TestRunner {
  /** Loads the files and their imports. The copy must be unmutated. */
  load(files: string[]): Promise<void>;
  /** @param changed the mutated file of the copy, or null. */
  run(changed: string | null, tests: TestSelection): Promise<TestResult>;
  stop(): void;
}

export function createTestRunner(copy: string): TestRunner {
  let child: ChildProcess | null = null;
  let loaded = new Set<string>();
  let orders = 0;

  function stop(): void {
    child?.kill('SIGKILL');
    child = null;
    loaded = new Set();
    orders = 0;
  }

  async function ask(order: TestOrder): Promise<TestAnswer | 'limit'> {
    orders += 1;
    child ??= fork(join(copy, 'tests/mutate/run-tests.ts'), [], {
      cwd: copy,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const asked = child;
    return new Promise((resolve) => {
      let heardAt = Date.now();
      const end = (answer: TestAnswer | 'limit') => {
        clearInterval(watch);
        asked.off('message', hear).off('exit', exit);
        if (answer === 'limit') stop();
        resolve(answer);
      };
      const hear = (answer: TestAnswer) => {
        heardAt = Date.now();
        if (!answer.isBusy) end(answer);
      };
      const exit = () => {
        stop();
        end({ failed: 'the process ended' });
      };
      const begunAt = heardAt;
      const watch = setInterval(() => {
        asked.send('ping');
        if (Date.now() - heardAt > SILENT_MS || Date.now() - begunAt > LIMIT_MS) end('limit');
      }, 5_000);
      asked.on('message', hear).on('exit', exit);
      asked.send(order);
    });
  }

  return {
    async load(files) {
      if (orders > ORDERS_OF_A_PROCESS) stop();
      for (const file of files) {
        if (BROWSER.test(file) || loaded.has(file)) continue;
        await ask({ changed: null, file, names: ['(none)'] });
        loaded.add(file);
      }
    },
    async run(changed, { files, names }) {
      const inJest = files.filter((file) => BROWSER.test(file));
      for (const file of files) {
        if (inJest.includes(file)) continue;
        const answer = await ask({ changed, file, names });
        if (answer === 'limit') return { is: 'limit' };
        if (answer.failed !== null) return { is: 'failed', file, name: answer.failed };
      }
      return inJest.length > 0 ? runJest(copy, inJest) : { is: 'passed' };
    },
    stop,
  };
}

async function runJest(copy: string, files: string[]): Promise<TestResult> {
  const flags = ['--selectProjects=browser', '--runInBand', '--bail', '--runTestsByPath', ...files];
  const child = spawn('npm', ['run', '-s', 'jest', '--', ...flags], {
    cwd: copy,
    stdio: 'ignore',
    detached: true,
  });
  const limit = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), LIMIT_MS);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(limit);
  if (signal === 'SIGKILL') return { is: 'limit' };
  return code === 0 ? { is: 'passed' } : { is: 'failed', file: files[0] ?? '', name: '' };
}
