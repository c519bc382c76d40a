import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openDatabase, type Database } from '../open-database.ts';
import { clearSchemas, transferSchemas } from './empty-schema.ts';
import { openMemoryDatabase } from './memory-database.ts';

export interface TestDatabase {
  database: Database;
  /** The server's URL, with which a second instance connects; undefined for PGlite. */
  url: string | undefined;
  stop(): Promise<void>;
}

export interface PostgresDatabase {
  url: string;
  drop(): Promise<void>;
}

export async function newPostgresDatabase(): Promise<PostgresDatabase> {
  const server = process.env['TEST_POSTGRES'];
  if (server === undefined)
    throw new Error('No PostgreSQL runs: Jest starts one for each project but "browser".');
  const ask = async (statement: string) => {
    const client = new pg.Client(server);
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await ask(`create database ${name}`);
  const url = new URL(server);
  url.pathname = name;
  return { url: url.href, drop: () => ask(`drop database ${name} with (force)`) };
}

/** A database on the run's PostgreSQL, for tests that are not about databases. */
export async function startDatabase(): Promise<TestDatabase & { url: string }> {
  const { url, drop } = await newPostgresDatabase();
  const database = await openDatabase({ url });
  return {
    database,
    url,
    stop: async () => {
      await database.close();
      await drop();
    },
  };
}

const returned: { url: string; database: Database }[] = [];

/**
 * A possibly reused database, for tests that begin with `emptySchema`: it then has its tables and no rows.
 * Each file has its own connections, so leftovers of earlier files cannot write. Ends with the run's
 * PostgreSQL.
 */
export async function borrowDatabase(): Promise<TestDatabase & { url: string }> {
  const former = returned.pop();
  const { url } = former ?? (await newPostgresDatabase());
  const database = await openDatabase({ url });
  if (former) transferSchemas(former.database, database);
  return {
    database,
    url,
    stop: async () => {
      try {
        await clearSchemas(database);
      } finally {
        await database.close();
      }
      returned.push({ url, database });
    },
  };
}

/** For `describe.each(databases)`: the same suite on the embedded database and on PostgreSQL. */
export const databases: { name: string; start: () => Promise<TestDatabase> }[] = [
  {
    name: 'PGlite',
    start: async () => {
      const database = await openMemoryDatabase();
      return { database, url: undefined, stop: () => database.close() };
    },
  },
  { name: 'PostgreSQL', start: startDatabase },
];
