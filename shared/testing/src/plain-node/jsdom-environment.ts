import { flushCompileCache } from 'node:module';
import { TestEnvironment } from 'jest-environment-jsdom';

/** jsdom, for this repository, where Node keeps compiled modules (`NODE_COMPILE_CACHE`). */
export default class Jsdom extends TestEnvironment {
  override async teardown(): Promise<void> {
    await super.teardown();
    // Jest kills a worker that takes half a second to end, as one does that has all it compiled to write.
    flushCompileCache();
  }
}
