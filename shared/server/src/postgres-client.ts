import pg from 'pg';
import { sql, type Transaction } from 'kysely';
import { dropConnection, type FindServer } from './postgres-servers.ts';
import { isReadOnlyError } from './read-only.ts';

/** Two timers: a suspended process must not mistake its own pause for the server's. */
const HALVES = 2;

const NO_LIMIT = 'set local statement_timeout = 0';

export async function allowLongStatements<Tables>(transaction: Transaction<Tables>): Promise<void> {
  await sql.raw(NO_LIMIT).execute(transaction);
}

const outdated = new WeakSet<object>();

export const isOutdated = (client: object): boolean => outdated.has(client);

/**
 * A client that drops its connection if a query has no response after `timeoutMs`. The server's own
 * `statement_timeout` does not help if the server disappears: the kernel would wait for 15 minutes or more.
 * pg's `query_timeout` rejects only the query and returns the dead connection to the pool.
 * @param findServer sets host and port of each connection.
 */
export function clientWithTimeout(timeoutMs: number, findServer?: FindServer) {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      limitQueries(this, timeoutMs);
      if (findServer) connectTo(this, findServer);
    }
  };
}

function connectTo(client: pg.Client, findServer: FindServer): void {
  const connect = client.connect.bind(client);
  // The pool passes a callback.
  client.connect = ((callback?: (error?: Error) => void) => {
    const connected = findServer(client).then(() => connect());
    return callback ? void connected.then(() => callback(), callback) : connected;
  }) as typeof client.connect;
}

function limitQueries(client: pg.Client, timeoutMs: number): void {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown;
  let isUnlimited = false;
  const limited = (...args: unknown[]) => {
    const [text] = args;
    if (text === 'commit' || text === 'rollback') isUnlimited = false;
    const answer = send(...args);
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => isReadOnlyError(error) && outdated.add(client));
      if (!isUnlimited) dropUnanswered(client, answer, timeoutMs);
    }
    if (text === NO_LIMIT) isUnlimited = true;
    return answer;
  };
  client.query = limited as typeof client.query;
}

function dropUnanswered(client: pg.Client, answer: Promise<unknown>, timeoutMs: number): void {
  let timer: NodeJS.Timeout;
  const wait = (halves: number) => {
    timer = setTimeout(() => {
      if (halves > 1) wait(halves - 1);
      else dropConnection(client, `the server did not respond within ${timeoutMs / 1000} s.`);
    }, timeoutMs / HALVES);
  };
  wait(HALVES);
  const settled = () => clearTimeout(timer);
  answer.then(settled, settled);
}
