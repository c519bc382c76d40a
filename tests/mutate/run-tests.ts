/**
 * Runs test files of the `node` project in this process, without Jest's start: reloads only the mutated module and
 * those that import it. `mutate.ts` starts it in a copy of the checkout.
 */
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import PlainNode from '../../shared/testing/src/plain-node/environment.ts';
import PlainRuntime from '../../shared/testing/src/plain-node/runtime.ts';

export interface TestOrder {
  changed: string | null;
  file: string;
  names: string[];
}

export interface TestAnswer {
  failed: string | null;
  isBusy?: true;
}

/** The part of `jest-circus` that is used here. */
interface TestEntry {
  name: string;
  mode: string | null | undefined;
  errors: unknown[];
  parent: Block;
}
interface Block {
  name: string;
  parent?: Block;
}
interface Circus {
  getState(): { parentProcess: NodeJS.Process | null; testTimeout: number; testNamePattern?: RegExp };
  addEventHandler(handler: (event: { name: string; test?: TestEntry }) => void): void;
  run(): Promise<{ unhandledErrors: string[] }>;
}
const GLOBALS = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'it', 'test'] as const;

const SETUP = ['shared/testing/src/fail-on-console.ts', 'shared/server/src/testing/one-seed.ts'];
const root = process.cwd();
const require = createRequire(join(root, 'node_modules/jest-circus/package.json'));
const { jestExpect } = require('@jest/expect') as { jestExpect: typeof expect };
const importers = new Map<string, Set<string>>();
let again = new Set<string>();
let run = 0;

const bare = (url: string) => url.replace(/\?run=\d+$/, '');
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const url = bare(resolved.url);
    if (!url.startsWith('file:') || url.includes('/node_modules/')) return resolved;
    if (context.parentURL !== undefined)
      importers.set(url, (importers.get(url) ?? new Set()).add(bare(context.parentURL)));
    return again.has(url) ? { ...resolved, url: `${url}?run=${run}` } : resolved;
  },
});

process.on('disconnect', () => process.exit());
process.on('message', (order: TestOrder | 'ping') => {
  if (order === 'ping') return void process.send?.({ failed: null, isBusy: true } satisfies TestAnswer);
  void runFile(order.changed, order.file, order.names).then((answer) => process.send?.(answer));
});

async function runFile(changed: string | null, file: string, names: string[]): Promise<TestAnswer> {
  run += 1;
  const fileUrl = (path: string) => pathToFileURL(join(root, path)).href;
  // Iterating over a set includes values added during the iteration: transitive importers.
  again = new Set(changed === null ? [] : [fileUrl(changed)]);
  for (const url of again) importers.get(url)?.forEach((each) => again.add(each));
  for (const each of [file, ...SETUP]) again.add(fileUrl(each));

  const environment = new PlainNode({ projectConfig: {} as never });
  const runtime = new PlainRuntime({}, environment);
  const circus = runtime.requireInternalModule(require.resolve('jest-circus')) as Circus &
    Record<string, unknown>;
  for (const name of GLOBALS) Object.assign(globalThis, { [name]: circus[name] });
  Object.assign(globalThis, { expect: jestExpect });
  const state = circus.getState();
  state.parentProcess = process;
  state.testTimeout = 120_000;
  if (names.length > 0) state.testNamePattern = new RegExp(`^(?:${names.map(escaped).join('|')})$`);
  let failed: string | null = null;
  circus.addEventHandler(({ name, test }) => {
    if (!test) return;
    if (name === 'test_start') {
      if (failed !== null) test.mode = 'skip';
      jestExpect.setState({ currentTestName: testName(test), testPath: join(root, file) });
    }
    if (name === 'test_done' && test.errors.length > 0) failed ??= testName(test);
  });
  try {
    for (const each of [...SETUP, file]) await import(`${fileUrl(each)}?run=${run}`);
    const { unhandledErrors } = await circus.run();
    failed ??= unhandledErrors[0] ?? null;
  } catch (error) {
    failed ??= String(error);
  }
  environment.teardown();
  return { failed };
}

function testName(test: TestEntry): string {
  const titles = [test.name];
  for (let block = test.parent; block.parent; block = block.parent) titles.unshift(block.name);
  return titles.join(' ');
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
