import type { Database } from '../open-database.ts';
import { borrowDatabase, type TestDatabase } from './each-database.ts';

/**
 * Creates a new object with `make` before each test of the file or `describe`, over one database for all of
 * them, and stops it afterwards.
 * @param make begins with `emptySchema`: an earlier file may have used the database.
 * @param start opens another database than the run's PostgreSQL: see `databases`.
 * @returns a proxy for the current test's object.
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
    // Undefined if "make" failed, whose error is the relevant one.
    await ended?.stop();
  });
  return new Proxy({} as T, {
    get(_, name) {
      if (!current) throw new Error('Only available inside a test: it is created before each one.');
      return Reflect.get(current, name) as unknown;
    },
  });
}
