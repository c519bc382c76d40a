import { startDailyJob } from '@site/server/daily-job';
import type { DailyJob } from '@site/server/daily-job';
import type { FormsTables } from '../tables.ts';
import { HOUR } from './counts.ts';

/** Clocks of instances differ a little: what one of them still takes, another must not have removed. */
const SLACK = HOUR;

/** Removes counts and spent challenges once their time is over, now and once a day. Returns a function that stops it. */
export function startRemovingExpired({
  now = Date.now,
  ...job
}: Pick<DailyJob<FormsTables>, 'db' | 'log' | 'now'>): () => Promise<void> {
  return startDailyJob({
    ...job,
    now,
    name: 'remove-expired',
    run: async (transaction) => {
      const over = new Date(now() - SLACK);
      const counts = await transaction.deleteFrom('counts').where('ends_at', '<', over).executeTakeFirst();
      const challenges = await transaction
        .deleteFrom('spent_challenges')
        .where('expires_at', '<', over)
        .executeTakeFirst();
      return { counts: Number(counts.numDeletedRows), challenges: Number(challenges.numDeletedRows) };
    },
  });
}
