import type { FastifyBaseLogger } from 'fastify';
import { sql, type Kysely, type Transaction } from 'kysely';
import { advisoryLocks } from './advisory-locks.ts';
import { HOUR_MS } from './durations.ts';
import { allowLongStatements } from './postgres-client.ts';

export interface JobTables {
  jobs: { name: string; ran_at: Date };
}

const LOOK_EVERY_MS = HOUR_MS;
/** Slightly less than a day, so that hourly checks do not shift the time of day. */
const DUE_AFTER_MS = 23.5 * HOUR_MS;

export interface DailyJob<Tables extends JobTables> {
  /** Unique in the database. */
  name: string;
  db: Kysely<Tables>;
  run: (transaction: Transaction<Tables>) => Promise<object>;
  log: Pick<FastifyBaseLogger, 'info' | 'error' | 'debug'>;
  /** Milliseconds since 1970. Default: the machine's time. */
  now?: () => number;
}

/**
 * Runs a job now and then daily, in exactly one instance: the first one that finds it due claims the day, the
 * others check again an hour later. A failed or crashed run is retried at the next check. Returns a function
 * that stops it after the current run.
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

async function runIfDue<Tables extends JobTables>({
  name,
  db,
  run,
  now = Date.now,
}: DailyJob<Tables>): Promise<object | null> {
  return db.transaction().execute(async (transaction) => {
    // Skips the day if another instance holds the lock: waiting for the row could exceed the statement
    // timeout.
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(advisoryLocks.dailyJobs)}, hashtext(${name})) as taken`.execute(
      transaction,
    );
    if (!rows[0]?.taken) return null;
    const at = new Date(now());
    // The compiler cannot infer that a service's tables include this one.
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
    // There may be much to do after a long downtime.
    await allowLongStatements(transaction);
    return run(transaction);
  });
}
