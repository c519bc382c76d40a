import { flushCompileCache } from 'node:module';
import { TestEnvironment } from 'jest-environment-jsdom';

/** jsdom for this repository, where Node caches compiled modules (`NODE_COMPILE_CACHE`). */
export default class Jsdom extends TestEnvironment {
  override async teardown(): Promise<void> {
    await super.teardown();
    // Jest kills a worker that takes half a second to exit, and writing the compile cache may take longer.
    flushCompileCache();
  }
}
