import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { withoutPassword } from './config.ts';
import { checkedName, DatabaseError, type Database, type OnWarning } from './database.ts';
import { migrateSchema } from './migrate.ts';
import { clientWithTimeout } from './postgres-client.ts';
import { createListener } from './postgres-listener.ts';

// Like PGlite: int8 as numbers, because counts and sequences stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const STATEMENT_TIMEOUT_MS = 15_000;
/** More than `STATEMENT_TIMEOUT_MS`: a reachable server ends the statement itself. */
const ANSWER_TIMEOUT_MS = 20_000;
/** LISTEN and the heartbeat of its connection are fast. */
const LISTENER_TIMEOUT_MS = 5_000;

/** Timeouts for an unresponsive server. Shorter in tests. */
export interface Patience {
  answerTimeoutMs?: number | undefined;
  heartbeatMs?: number | undefined;
}

/** `url` is `postgres://user:password@host:port/database`. */
export async function openPostgres(
  url: string,
  onWarning: OnWarning,
  { answerTimeoutMs = ANSWER_TIMEOUT_MS, heartbeatMs }: Patience = {},
): Promise<Database> {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'site',
    keepAlive: true,
    // The kernel's default is two hours.
    keepAliveInitialDelayMillis: 5_000,
  };
  const pool = new pg.Pool({
    ...connection,
    Client: clientWithTimeout(answerTimeoutMs),
    max: 10,
    // An idle connection does not keep the process alive: servers stay alive by listening.
    allowExitOnIdle: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 15_000,
  });
  // A lost active connection fails its query. Without a listener its error would also crash the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => onWarning('An idle database connection was lost.', error));
  const root = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const ListeningClient = clientWithTimeout(Math.min(answerTimeoutMs, LISTENER_TIMEOUT_MS));
  const listener = createListener(() => new ListeningClient(connection), onWarning, heartbeatMs);
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
