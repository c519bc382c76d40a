import { baseErrors } from '@site/server/base-errors';
import { networkOf } from '@site/server/client-address';
import type { Kysely } from 'kysely';
import type { FormsTables } from '../tables.ts';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import type { Counted, Counts } from './counts.ts';

/** Limits per network. 0: no limit. */
export interface PostLimitsConfig {
  /** Forms without a captcha per hour: those without JavaScript, and the newsletter. */
  formPostsPerHour: number;
  /** Referrals per day, each of which sends an email. */
  referralsPerDay: number;
}

/** Limits per network. A client learns only its own count. */
export interface PostLimits {
  /** @throws ApiError `rate_limited` */
  formPost(address: string): Promise<void>;
  /** Counts a referral, in the transaction that queues its emails. */
  referralOf(address: string): Promise<CountReferral>;
}

/**
 * Only stored referrals count, so that rejected ones do not use up the limit of others in the network.
 * @throws ApiError `rate_limited`, which must roll back the transaction.
 */
export type CountReferral = (transaction: Kysely<FormsTables>) => Promise<void>;

export function createPostLimits(
  { formPostsPerHour, referralsPerDay }: PostLimitsConfig,
  { counts, now }: { counts: Counts; now: () => number },
): PostLimits {
  async function take(
    counted: Counted,
    most: number,
    what: string,
    transaction?: Kysely<FormsTables>,
  ): Promise<void> {
    if (most === 0) return;
    const { count, endsAt } = await counts.add(counted, new Date(now()), 1, transaction);
    if (count <= most) return;
    throw baseErrors.rate_limited(what, {
      headers: { 'retry-after': String(Math.ceil((endsAt.getTime() - now()) / 1000)) },
    });
  }
  return {
    formPost: (address) =>
      take(
        { name: 'form posts', of: networkOf(address), within: HOUR_MS },
        formPostsPerHour,
        'There were too many forms from this address within an hour.',
      ),
    async referralOf(address) {
      await counts.prepare();
      return (transaction) =>
        take(
          { name: 'referrals', of: networkOf(address), within: DAY_MS },
          referralsPerDay,
          'There were too many referrals from this address within a day.',
          transaction,
        );
    },
  };
}
