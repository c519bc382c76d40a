import type { Database } from '../open-database.ts';
import { borrowDatabase, type TestDatabase } from './each-database.ts';

/**
 * Before each test of the file or `describe` that calls this, `make` makes one, over one database for all of them; it is
 * stopped after the test.
 *
 * @param make begins with `emptySchema`: an earlier file may have used the database.
 * @param start opens another database than one on the PostgreSQL of the run: see `databases`.
 * @returns stands for the one of the test that runs.
 */
export function forEachTest<T extends { stop(): Promise<void> }>(
  make: (database: Database) => Promise<T>,
  start: () => Promise<Pick<TestDatabase, 'database' | 'stop'>> = borrowDatabase,
): T {
  let started: Pick<TestDatabase, 'database' | 'stop'>;
  let current: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started.stop());
  beforeEach(async () => {
    current = await make(started.database);
  });
  afterEach(async () => {
    const ended = current;
    current = undefined;
    // Undefined if "make" failed: that failure is the one to read.
    await ended?.stop();
  });
  return new Proxy({} as T, {
    get(_, name) {
      if (!current) throw new Error('Use it inside a test: it is made before each one.');
      return Reflect.get(current, name) as unknown;
    },
  });
}
