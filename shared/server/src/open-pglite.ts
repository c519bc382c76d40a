import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, sql } from 'kysely';
import { openDataFolder } from './data-folder.ts';
import { checkedName, type Database } from './database.ts';
import { migrateSchema } from './migrate.ts';
import { stopAfterPanic } from './stop-after-panic.ts';

/** An embedded PostgreSQL in this process, in a data folder. */
export async function openPglite(folder: string): Promise<Database> {
  const { pglite, release } = await openDataFolder(folder);
  return overPglite(pglite, release);
}

/** @param release what to do once it is closed. */
export function overPglite(pglite: PGlite, release: () => Promise<void> = () => Promise.resolve()): Database {
  const panic = stopAfterPanic(pglite);
  // PGlite is one connection. Kysely queues queries and transactions on it, so there must be only this one Kysely.
  const root = new Kysely<unknown>({ dialect: createDialect(pglite, panic) });
  let closing: Promise<void> | undefined;

  return {
    kind: 'pglite',
    schema: <Tables>(name: string) =>
      root.withSchema(checkedName('schema', name)) as unknown as Kysely<Tables>,
    migrate: (schema, migrations) => migrateSchema(root, schema, migrations),
    notify: async (channel, payload) => {
      await sql`select pg_notify(${checkedName('channel', channel)}, ${payload})`.execute(root);
    },
    listen: async (channel, onPayload) => pglite.listen(checkedName('channel', channel), onPayload),
    ping: async () => {
      await sql`select 1`.execute(root);
    },
    close: () =>
      (closing ??= (async () => {
        // One that has panicked has nothing left to write, and closing it would not end. The next start finds what it acknowledged.
        if (panic() === null) {
          // A connection of Kysely's is the queue: having one means that no transaction is under way.
          await root.connection().execute(() => Promise.resolve());
          await root.destroy();
          await pglite.close().catch(() => undefined);
        }
        await release();
      })()),
  };
}

/** A transaction that cannot begin would never end, and its error be nobody's: so none begins on a database that has panicked. */
function createDialect(pglite: PGlite, panic: () => Error | null): PGliteDialect {
  const dialect = new PGliteDialect({ pglite });
  const createDriver = dialect.createDriver.bind(dialect);
  dialect.createDriver = () => {
    const driver = createDriver();
    const begin = driver.beginTransaction.bind(driver);
    driver.beginTransaction = async (connection, settings) => {
      const error = panic();
      if (error) throw error;
      return begin(connection, settings);
    };
    return driver;
  };
  return dialect;
}
