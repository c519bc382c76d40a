import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, sql } from 'kysely';
import { openDataFolder } from './data-folder.ts';
import { checkedName, type Database } from './database.ts';
import { migrateSchema } from './migrate.ts';
import { REQUIRE_WRITABLE } from './read-only.ts';
import { stopAfterPanic } from './stop-after-panic.ts';
import { traceQueries } from './trace-requests.ts';

export async function openPglite(folder: string): Promise<Database> {
  const { pglite, release } = await openDataFolder(folder);
  return overPglite(pglite, release);
}

export function overPglite(pglite: PGlite, release: () => Promise<void> = () => Promise.resolve()): Database {
  const panic = stopAfterPanic(pglite);
  // PGlite is one connection. Kysely queues queries and transactions on it, so there must be only one Kysely.
  const root = new Kysely<unknown>({ dialect: createDialect(pglite, panic), ...traceQueries() });
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
      await sql.raw(REQUIRE_WRITABLE).execute(root);
    },
    close: () =>
      (closing ??= (async () => {
        // After a panic there is nothing to flush, and closing would hang. The next start recovers
        // acknowledged data.
        if (panic() === null) {
          // Kysely's connection is exclusive: having it means that no transaction is active.
          await root.connection().execute(() => Promise.resolve());
          await root.destroy();
          await pglite.close().catch(() => undefined);
        }
        await release();
      })()),
  };
}

/** Rejects transactions after a panic: `BEGIN` would hang and its error would be unhandled. */
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
