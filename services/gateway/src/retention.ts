import { startDailyJob, type DailyJob } from '@site/server/daily-job';
import type { Transaction } from 'kysely';
import type { GatewayTables } from './tables.ts';

export interface RetentionOptions extends Pick<DailyJob<GatewayTables>, 'db' | 'log' | 'now'> {
  retention: number;
}

interface Kept {
  table: keyof GatewayTables;
  rows: string;
  kept: string;
}

/** All stored data: a test compares it with `docs/retention.md` and the database's tables. */
export const retention: readonly Kept[] = [
  {
    table: 'guests',
    rows: 'guests, also of the API console',
    kept: '396 days after the last visit (`RETENTION_SECONDS`)',
  },
  {
    table: 'signing_keys',
    rows: 'keys of the service',
    kept: 'until their tokens have expired; no personal data',
  },
  {
    table: 'audit',
    rows: 'erasures',
    kept: 'permanently: row counts without identities',
  },
  { table: 'jobs', rows: 'job times', kept: 'permanently; no personal data' },
];

/**
 * Removes guests that have not visited for `retention`, now and once a day. Returns a function that stops it.
 */
export function startRetention({
  retention: seconds,
  now = Date.now,
  ...job
}: RetentionOptions): () => Promise<void> {
  return startDailyJob({
    ...job,
    now,
    name: 'remove-idle-guests',
    run: async (transaction) => ({
      removed: await removeIdleGuests(transaction, new Date(now() - seconds * 1000)),
    }),
  });
}

async function removeIdleGuests(transaction: Transaction<GatewayTables>, date: Date): Promise<number> {
  const result = await transaction
    .deleteFrom('guests')
    .where('current_visiting_at', '<', date)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
