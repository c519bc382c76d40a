import type { Database } from '../open-database.ts';
import { START_WITHIN } from './each-database.ts';
import { openMemoryDatabase } from './memory-database.ts';

/**
 * Before each test of the file that calls this, `make` makes one anew, over one embedded database for all of them; it is
 * stopped after the test.
 *
 * @returns stands for the one of the test that runs.
 */
export function forEachTest<T extends { stop(): Promise<void> }>(
  make: (database: Database) => Promise<T>,
): T {
  let database: Database;
  let current: T;
  beforeAll(async () => {
    database = await openMemoryDatabase();
  }, START_WITHIN);
  afterAll(() => database.close());
  // Sets up everything that the test is about, also on a busy machine.
  beforeEach(async () => {
    current = await make(database);
  }, START_WITHIN);
  afterEach(() => current.stop());
  return new Proxy({} as T, { get: (_, name) => Reflect.get(current, name) as unknown });
}
