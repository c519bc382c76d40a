import { openDatabase, type Database } from '../open-database.ts';
import { openMemoryDatabase } from './memory-database.ts';
import { startPostgres } from './start-postgres.ts';

/** A database for the tests of one file: the database itself, and how to end it. */
export interface TestDatabase {
  database: Database;
  /** The server's URL, for a second instance; undefined for PGlite. */
  url: string | undefined;
  stop(): Promise<void>;
}

/** How long starting one may take on a busy machine, in milliseconds: the time-out of `beforeAll`. */
export const START_WITHIN = 60_000;

/** For `describe.each(databases)`: the same suite on the embedded database and on a real PostgreSQL server. */
export const databases: { name: string; start: () => Promise<TestDatabase> }[] = [
  {
    name: 'PGlite',
    start: async () => {
      const database = await openMemoryDatabase();
      return { database, url: undefined, stop: () => database.close() };
    },
  },
  {
    name: 'PostgreSQL',
    start: async () => {
      const server = await startPostgres();
      const database = await openDatabase({ url: server.url });
      return {
        database,
        url: server.url,
        stop: async () => {
          await database.close();
          await server.stop();
        },
      };
    },
  },
];
