import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type PlainNode from './environment.ts';

const require = createRequire(import.meta.url);
/** Where Jest keeps what belongs to one file. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** Path → how often it was imported by this process. */
const imported = new Map<string, number>();

/**
 * Loads tests as production loads what they test: by Node itself, which strips the types. Jest's own runtime compiles each module to
 * CommonJS and loads all of them again for each file, which is most of the work of a short one. Here they are loaded once for each
 * worker, so files share what modules keep. There is no `jest.mock`: what a module needs is passed to it.
 *
 * Jest 30 calls these methods of its option `runtime`: `jest-runner/build/testWorker.js` and `jest-circus/build/runner.js`.
 */
export default class PlainRuntime {
  constructor(_config: unknown, { moduleMocker, fakeTimersModern }: PlainNode) {
    const jest = {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      restoreAllMocks: () => moduleMocker.restoreAllMocks(),
      useFakeTimers: (options?: Parameters<typeof fakeTimersModern.useFakeTimers>[0]) =>
        fakeTimersModern.useFakeTimers(options),
      useRealTimers: () => fakeTimersModern.useRealTimers(),
      advanceTimersByTime: (ms: number) => fakeTimersModern.advanceTimersByTime(ms),
      setTimeout: (ms: number) => Object.assign(globalThis, { [TEST_TIMEOUT]: ms }),
    };
    Object.assign(globalThis, { jest });
  }

  /** Jest's part that collects and runs tests. It keeps those of one file, so each file gets a new one. */
  requireInternalModule(path: string): unknown {
    Reflect.deleteProperty(require.cache, path);
    for (const kept of [EVENT_HANDLERS, TEST_TIMEOUT]) Reflect.deleteProperty(globalThis, kept);
    return require(path);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  /** A file of tests, or of set-up for each of them: it runs again each time. */
  async unstable_importModule(path: string): Promise<void> {
    const times = imported.get(path) ?? 0;
    imported.set(path, times + 1);
    const { href } = pathToFileURL(path);
    await import(times === 0 ? href : `${href}?${times}`);
  }

  /** Jest's functions are globals already. */
  setGlobalsForRuntime(): void {}
  /** Node does not tell modules of tests from others. */
  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}

  /** Types are stripped in place: lines and columns are those of the file. */
  getSourceMaps(): null {
    return null;
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }
}
