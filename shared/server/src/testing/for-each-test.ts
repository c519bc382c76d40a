import type { Database } from '../open-database.ts';
import { START_WITHIN, type TestDatabase } from './each-database.ts';
import { openMemoryDatabase } from './memory-database.ts';

/**
 * Before each test of the file or `describe` that calls this, `make` makes one, over one database for all of them; it is
 * stopped after the test.
 *
 * @param start opens another database than PGlite: see `databases`.
 * @returns stands for the one of the test that runs.
 */
export function forEachTest<T extends { stop(): Promise<void> }>(
  make: (database: Database) => Promise<T>,
  start: () => Promise<Pick<TestDatabase, 'database' | 'stop'>> = startMemory,
): T {
  let started: Pick<TestDatabase, 'database' | 'stop'>;
  let current: T;
  beforeAll(async () => {
    started = await start();
  }, START_WITHIN);
  afterAll(() => started.stop(), START_WITHIN);
  // Sets up everything that the test is about, also on a busy machine.
  beforeEach(async () => {
    current = await make(started.database);
  }, START_WITHIN);
  afterEach(() => current.stop());
  return new Proxy({} as T, { get: (_, name) => Reflect.get(current, name) as unknown });
}

async function startMemory(): Promise<Pick<TestDatabase, 'database' | 'stop'>> {
  const database = await openMemoryDatabase();
  return { database, stop: () => database.close() };
}
