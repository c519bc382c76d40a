import { startDailyJob } from '@site/server/daily-job';
import type { DailyJob } from '@site/server/daily-job';
import type { FormsTables } from '../tables.ts';

/** What the removal of idle identities works with. */
export interface IdentityRetentionOptions extends Pick<DailyJob<FormsTables>, 'db' | 'log' | 'now'> {
  /** How long an identity is kept after its last registration. Seconds. */
  retention: number;
}

/** Removes identities that have not been seen for `retention`, now and once a day. Returns a function that stops it. */
export function startIdentityRetention({
  retention,
  now = Date.now,
  ...job
}: IdentityRetentionOptions): () => Promise<void> {
  return startDailyJob({
    ...job,
    now,
    name: 'remove-idle-identities',
    run: async (transaction) => {
      const result = await transaction
        .deleteFrom('identities')
        .where('last_seen_at', '<', new Date(now() - retention * 1000))
        .executeTakeFirst();
      return { removed: Number(result.numDeletedRows) };
    },
  });
}
