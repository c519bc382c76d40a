import pg from 'pg';
import { sql, type Transaction } from 'kysely';

/** Two halves: a process that was suspended must not take its own pause for the server's. */
const HALVES = 2;

const NO_LIMIT = 'set local statement_timeout = 0';

/** Lifts the time limit of statements, the server's and the client's, until the end of the transaction. */
export async function allowLongStatements<Tables>(transaction: Transaction<Tables>): Promise<void> {
  await sql.raw(NO_LIMIT).execute(transaction);
}

/**
 * A client that drops its connection when a query has no answer after `timeoutMs`. The server's own `statement_timeout` does not help when
 * the server is gone without a word: the kernel would wait for it for 15 minutes and more. pg's `query_timeout` rejects the
 * query alone and returns the dead connection to the pool.
 */
export function clientWithTimeout(timeoutMs: number) {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      limitQueries(this, timeoutMs);
    }
  };
}

function limitQueries(client: pg.Client, timeoutMs: number): void {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown;
  let isUnlimited = false;
  const limited = (...args: unknown[]) => {
    const [text] = args;
    if (text === 'commit' || text === 'rollback') isUnlimited = false;
    const answer = send(...args);
    if (answer instanceof Promise && !isUnlimited) dropUnanswered(client, answer, timeoutMs);
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
      else
        client.connection.stream.destroy(
          new Error(`Connection terminated: the server did not answer within ${timeoutMs / 1000} s.`),
        );
    }, timeoutMs / HALVES);
  };
  wait(HALVES);
  const settled = () => clearTimeout(timer);
  answer.then(settled, settled);
}
