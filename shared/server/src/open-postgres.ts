import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { withoutPassword } from './config.ts';
import { checkedName, DatabaseError, type Database, type OnWarning } from './database.ts';
import { migrateSchema } from './migrate.ts';
import { clientWithTimeout, isOutdated } from './postgres-client.ts';
import { createListener } from './postgres-listener.ts';
import { createFindServer, NoWritableServerError, serverUrls } from './postgres-servers.ts';
import { isReadOnlyError, REQUIRE_WRITABLE } from './read-only.ts';
import { traceQueries } from './trace-requests.ts';
import { reportLostNotifications } from './lost-notifications.ts';

// Like PGlite: int8 as numbers, because counts and sequences stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const STATEMENT_TIMEOUT_MS = 15_000;
/** More than `STATEMENT_TIMEOUT_MS`: a reachable server ends the statement itself. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Not startup parameters: PgBouncer rejects them, or ignores them silently. */
const SESSION_SETTINGS =
  `set statement_timeout = ${STATEMENT_TIMEOUT_MS}; ` + 'set idle_in_transaction_session_timeout = 15000';
/** LISTEN and the heartbeat of its connection are fast. */
const LISTENER_TIMEOUT_MS = 5_000;

export interface Patience {
  answerTimeoutMs?: number | undefined;
  heartbeatMs?: number | undefined;
}

/** `url` is `postgres://user:password@host:port/database`, or has several hosts: `host1:port1,host2:port2`. */
export async function openPostgres(
  url: string,
  onWarning: OnWarning,
  { answerTimeoutMs = ANSWER_TIMEOUT_MS, heartbeatMs }: Patience = {},
): Promise<Database> {
  const urls = serverUrls(url);
  const connection = {
    connectionString: urls[0],
    connectionTimeoutMillis: 5_000,
    application_name: 'site',
    keepAlive: true,
    // The kernel's default is two hours.
    keepAliveInitialDelayMillis: 5_000,
  };
  const shortTimeoutMs = Math.min(answerTimeoutMs, LISTENER_TIMEOUT_MS);
  const ProbingClient = clientWithTimeout(shortTimeoutMs);
  const findServer =
    urls.length > 1
      ? createFindServer(urls, (connectionString) => new ProbingClient({ ...connection, connectionString }))
      : undefined;
  const pool = new pg.Pool({
    ...connection,
    Client: clientWithTimeout(answerTimeoutMs, findServer),
    max: 10,
    allowExitOnIdle: true,
    // The pool awaits the promise, which its type omits.
    onConnect: ((client: pg.ClientBase) => client.query(SESSION_SETTINGS)) as (client: pg.ClientBase) => void,
  });
  // A lost active connection fails its query. Without a listener its error would also crash the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => onWarning('An idle database connection was lost.', error));
  // A failover may leave connections to the old server open: only a new one reaches the writable server.
  pool.on('release', (_error, client) => {
    if (isOutdated(client)) client.end().catch(() => undefined);
  });
  const root = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), ...traceQueries() });
  const ListeningClient = clientWithTimeout(shortTimeoutMs, findServer);
  const listener = createListener(() => new ListeningClient(connection), onWarning, heartbeatMs);
  let closing: Promise<void> | undefined;
  let isListening = false;

  const database: Database = {
    kind: 'postgres',
    schema: <Tables>(name: string) =>
      root.withSchema(checkedName('schema', name)) as unknown as Kysely<Tables>,
    migrate: (schema, migrations) => migrateSchema(root, schema, migrations),
    notify: async (channel, payload) => {
      await sql`select pg_notify(${checkedName('channel', channel)}, ${payload})`.execute(root);
    },
    listen: async (channel, onPayload) => {
      const stop = await listener.listen(checkedName('channel', channel), onPayload);
      if (!isListening) {
        isListening = true;
        const report: OnWarning = (...warning) => {
          if (!closing) onWarning(...warning);
        };
        void reportLostNotifications(database, report, answerTimeoutMs / 2);
      }
      return stop;
    },
    ping: async () => {
      await sql.raw(REQUIRE_WRITABLE).execute(root);
    },
    close: () =>
      (closing ??= (async () => {
        await listener.close();
        await root.destroy();
      })()),
  };
  try {
    await requireOwnSessions(pool, url);
    await database.ping();
  } catch (cause) {
    await database.close();
    if (cause instanceof DatabaseError) throw cause;
    const reason =
      cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause);
    throw new DatabaseError(
      'server_unreachable',
      `The PostgreSQL server at ${withoutPassword(url)} cannot be used (${reason}). ` +
        (isReadOnlyError(cause) || cause instanceof NoWritableServerError
          ? 'Connect DATABASE_URL to the primary server, or make the database writable.'
          : 'Check DATABASE_URL, and that the server runs and lets this user into that database.'),
      { cause },
    );
  }
  return database;
}

/**
 * Rejects a pooler that assigns a server connection per transaction: LISTEN and the settings of a session would apply
 * to other clients. Two clients that take turns then get the same server connection, or different ones over time.
 */
async function requireOwnSessions(pool: pg.Pool, url: string): Promise<void> {
  const first = await pool.connect();
  try {
    const second = await pool.connect();
    try {
      const seen: [Set<number>, Set<number>] = [new Set(), new Set()];
      for (let round = 0; round < 3; round += 1) {
        for (const [index, client] of [first, second].entries()) {
          const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
          seen[index]?.add(rows[0]?.pid ?? 0);
        }
      }
      const [one, two] = seen;
      if (one.size === 1 && two.size === 1 && ![...one].some((pid) => two.has(pid))) return;
    } finally {
      second.release(true);
    }
  } finally {
    first.release();
  }
  throw new DatabaseError(
    'sessions_shared',
    `The pooler at ${withoutPassword(url)} shares server connections between clients, so LISTEN and session settings ` +
      'do not work. Set its pool mode to session (PgBouncer: pool_mode = session), or connect ' +
      'DATABASE_URL to PostgreSQL directly.',
  );
}
