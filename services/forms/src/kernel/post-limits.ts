import { baseErrors } from '@site/server/base-errors';
import { clientNetwork } from '@site/server/client-address';
import type { Kysely } from 'kysely';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import type { Counter, Counters } from './counters.ts';
import type { FormsTables } from './tables.ts';

export interface PostLimitsConfig {
  formPostsPerHour: number;
  referralsPerDay: number;
}

export interface PostLimits {
  /** @throws ApiError `rate_limited` */
  formPost(address: string): Promise<void>;
  countReferral(address: string): Promise<CountReferral>;
}

/**
 * Only stored referrals count, so that rejected ones do not use up the limit of others in the network.
 * @throws ApiError `rate_limited`, which must roll back the transaction.
 */
export type CountReferral = (transaction: Kysely<FormsTables>) => Promise<void>;

export function createPostLimits(
  { formPostsPerHour, referralsPerDay }: PostLimitsConfig,
  { counters, now }: { counters: Counters; now: () => number },
): PostLimits {
  async function take(
    counter: Counter,
    max: number,
    message: string,
    transaction?: Kysely<FormsTables>,
  ): Promise<void> {
    if (max === 0) return;
    const { count, endsAt } = await counters.add(counter, new Date(now()), 1, transaction);
    if (count <= max) return;
    throw baseErrors.rate_limited(message, {
      headers: { 'retry-after': String(Math.ceil((endsAt.getTime() - now()) / 1000)) },
    });
  }
  return {
    formPost: (address) =>
      take(
        { name: 'form posts', subject: clientNetwork(address), periodMs: HOUR_MS },
        formPostsPerHour,
        'Too many forms were sent from this network in the past hour.',
      ),
    async countReferral(address) {
      await counters.prepare();
      return (transaction) =>
        take(
          { name: 'referrals', subject: clientNetwork(address), periodMs: DAY_MS },
          referralsPerDay,
          'Too many referrals were sent from this network in the past day.',
          transaction,
        );
    },
  };
}
