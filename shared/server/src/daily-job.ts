import type { FastifyBaseLogger } from 'fastify';
import { sql, type Kysely, type Transaction } from 'kysely';
import { advisoryLocks } from './advisory-locks.ts';
import { HOUR_MS } from './durations.ts';
import { allowLongStatements } from './postgres-client.ts';

/** The table that says when each job ran last, in the schema of the service. */
export interface JobTables {
  jobs: { name: string; ran_at: Date };
}

/** How often an instance looks whether the job is due. */
const LOOK_EVERY_MS = HOUR_MS;
/** A little less than a day, so that hourly looks do not let it drift round the clock. */
const DUE_AFTER_MS = 23.5 * HOUR_MS;

/** One job, and what it works with. */
export interface DailyJob<Tables extends JobTables> {
  /** Of its own in the whole database. */
  name: string;
  db: Kysely<Tables>;
  /** Does the work in the transaction that claims the day; resolves to what is worth a log line. */
  run: (transaction: Transaction<Tables>) => Promise<object>;
  log: Pick<FastifyBaseLogger, 'info' | 'error' | 'debug'>;
  /** Milliseconds since 1970. Default: the clock of the machine. */
  now?: () => number;
}

/**
 * Runs a job now and then once a day, in one of however many instances there are: the first that finds it due takes the
 * day, and the others look again an hour later. A run that fails, or whose process dies, leaves the day to the next look.
 * Returns a function that stops it, after finishing what is under way.
 */
export function startDailyJob<Tables extends JobTables>(job: DailyJob<Tables>): () => Promise<void> {
  const { name, log } = job;
  let running = Promise.resolve();
  const look = () => {
    running = running.then(() =>
      runIfDue(job).then(
        (result) =>
          result ? log.info({ job: name, ...result }, 'ran the job') : log.debug({ job: name }, 'not due'),
        (error: unknown) => log.error({ job: name, err: error }, 'could not run the job'),
      ),
    );
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** @returns what the job resolved to, or null when it was not due. */
async function runIfDue<Tables extends JobTables>({
  name,
  db,
  run,
  now = Date.now,
}: DailyJob<Tables>): Promise<object | null> {
  return db.transaction().execute(async (transaction) => {
    // An instance that does not get the lock leaves the day to the one at work: waiting for the row could take longer than a statement may.
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(advisoryLocks.dailyJobs)}, hashtext(${name})) as taken`.execute(
      transaction,
    );
    if (!rows[0]?.taken) return null;
    const at = new Date(now());
    // The compiler cannot see that a service's tables, whatever else there is, have this one.
    const claimed = await (transaction as unknown as Transaction<JobTables>)
      .insertInto('jobs')
      .values({ name, ran_at: at })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ ran_at: at })
          .where('jobs.ran_at', '<=', new Date(at.getTime() - DUE_AFTER_MS)),
      )
      .returning('name')
      .executeTakeFirst();
    if (!claimed) return null;
    // After a long pause there may be much to do.
    await allowLongStatements(transaction);
    return run(transaction);
  });
}
