import { baseErrors } from '@site/server/base-errors';
import { networkOf } from '@site/server/client-address';
import type { Kysely } from 'kysely';
import type { FormsTables } from '../tables.ts';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import type { Counted, Counts } from './counts.ts';

/** What one network may send. 0: no limit. */
export interface PostLimitsConfig {
  /** Forms an hour that have no captcha: those without JavaScript, and the newsletter. */
  formPostsPerHour: number;
  /** Referrals a day, each of which sends a mail. */
  referralsPerDay: number;
}

/** Counts what comes from one network. What it learns of the counts is what it did itself. */
export interface PostLimits {
  /** @throws ApiError `rate_limited` */
  formPost(address: string): Promise<void>;
  /** What counts a referral of this address, in the transaction that queues its mails. */
  referralOf(address: string): Promise<CountReferral>;
}

/**
 * Only what is stored counts: what is refused, for its captcha above all, must cost nothing that others of the same network need.
 *
 * @throws ApiError `rate_limited`, which is to end the transaction.
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
