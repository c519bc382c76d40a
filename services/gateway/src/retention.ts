import { startDailyJob } from '@site/server/daily-job';
import type { DailyJob } from '@site/server/daily-job';
import type { Transaction } from 'kysely';
import type { GatewayTables } from './tables.ts';

/** What the removal of idle guests works with. */
export interface RetentionOptions extends Pick<DailyJob<GatewayTables>, 'db' | 'log' | 'now'> {
  /** How long a guest is kept after its last visit. Seconds. */
  retention: number;
}

/** Removes guests that have not visited for `retention`, now and once a day. Returns a function that stops it. */
export function startRetention({ retention, now = Date.now, ...job }: RetentionOptions): () => Promise<void> {
  return startDailyJob({
    ...job,
    now,
    name: 'remove-idle-guests',
    run: async (transaction) => ({
      removed: await removeIdleGuests(transaction, new Date(now() - retention * 1000)),
    }),
  });
}

/** Removes the guests whose last visit lies before `date`. Resolves to their number. */
async function removeIdleGuests(transaction: Transaction<GatewayTables>, date: Date): Promise<number> {
  const result = await transaction
    .deleteFrom('guests')
    .where('current_visiting_at', '<', date)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
