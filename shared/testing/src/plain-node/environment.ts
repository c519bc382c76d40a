import { flushCompileCache } from 'node:module';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

type TimerOptions = ConstructorParameters<typeof ModernFakeTimers>[0];

/**
 * The environment for tests of Node code: the worker's own process, whose console and timers are restored
 * afterwards.
 */
export default class PlainNode {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #console = globalThis.console;
  readonly #exit = process.exit;

  constructor({ projectConfig }: { projectConfig: TimerOptions['config'] }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  setup(): void {}

  teardown(): void {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    // Jest kills a worker that takes half a second to exit, and writing the compile cache may take longer.
    flushCompileCache();
  }

  /** None: tests have the same globals as Node. */
  getVmContext(): null {
    return null;
  }
}
