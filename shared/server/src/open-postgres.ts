import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { withoutPassword } from './config.ts';
import { checkedName, DatabaseError, type Database, type OnWarning } from './database.ts';
import { migrateSchema } from './migrate.ts';
import { createListener } from './postgres-listener.ts';

// PGlite gives numbers for int8, and so must we: counts and sequences stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A PostgreSQL server. `url` is `postgres://user:password@host:port/database`. */
export async function openPostgres(url: string, onWarning: OnWarning): Promise<Database> {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'site',
    keepAlive: true,
  };
  const pool = new pg.Pool({
    ...connection,
    max: 10,
    // A connection that nobody uses keeps no process alive: servers wait for requests, and others may end.
    allowExitOnIdle: true,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
  });
  // A connection that is lost while it is in use fails its query. Without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => onWarning('An idle database connection was lost.', error));
  const root = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const listener = createListener(() => new pg.Client(connection), onWarning);
  let closing: Promise<void> | undefined;

  const database: Database = {
    kind: 'postgres',
    schema: <Tables>(name: string) =>
      root.withSchema(checkedName('schema', name)) as unknown as Kysely<Tables>,
    migrate: (schema, migrations) => migrateSchema(root, schema, migrations),
    notify: async (channel, payload) => {
      await sql`select pg_notify(${checkedName('channel', channel)}, ${payload})`.execute(root);
    },
    listen: (channel, onPayload) => listener.listen(checkedName('channel', channel), onPayload),
    ping: async () => {
      await sql`select 1`.execute(root);
    },
    close: () =>
      (closing ??= (async () => {
        await listener.close();
        await root.destroy();
      })()),
  };
  try {
    await database.ping();
  } catch (cause) {
    await database.close();
    const reason =
      cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause);
    throw new DatabaseError(
      'server_unreachable',
      `The PostgreSQL server at ${withoutPassword(url)} cannot be used (${reason}). Check DATABASE_URL, and that the ` +
        'server runs and lets this user into that database.',
      { cause },
    );
  }
  return database;
}
