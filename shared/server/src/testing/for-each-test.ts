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
  let current: T;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started.stop());
  beforeEach(async () => {
    current = await make(started.database);
  });
  afterEach(() => current.stop());
  return new Proxy({} as T, { get: (_, name) => Reflect.get(current, name) as unknown });
}
