import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type PlainNode from './environment.ts';

const require = createRequire(import.meta.url);
/** Jest's state of one file. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** Path → number of imports in this process. */
const imported = new Map<string, number>();

/**
 * Loads tests like production code: in Node itself, which strips the types. Jest's own runtime compiles each
 * module to CommonJS and reloads all modules for each file, which dominates short tests. Here modules are
 * loaded once per worker, so files share module state. There is no `jest.mock`: inject dependencies.
 * Jest 30 calls these methods of its option `runtime`: `jest-runner/build/testWorker.js` and
 * `jest-circus/build/runner.js`.
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

  /** Jest's test collector and runner. It has state for one file, so each file gets a new one. */
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

  /** A test or setup file: evaluated again each time. */
  async unstable_importModule(path: string): Promise<void> {
    const times = imported.get(path) ?? 0;
    imported.set(path, times + 1);
    const { href } = pathToFileURL(path);
    await import(times === 0 ? href : `${href}?${times}`);
  }

  /** Jest's functions are already global. */
  setGlobalsForRuntime(): void {}
  /** Node does not distinguish test modules. */
  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}

  /** Types are stripped in place, so lines and columns stay the same. */
  getSourceMaps(): null {
    return null;
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }
}
