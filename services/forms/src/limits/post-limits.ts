import { baseErrors } from '@site/server/base-errors';
import type { Counted, Counts } from './counts.ts';
import { DAY, HOUR } from './counts.ts';
import { networkOf } from './network.ts';

/** What one network may send. 0: no limit. */
export interface PostLimitsConfig {
  /** Forms an hour without JavaScript, and so without a captcha. */
  formPostsPerHour: number;
  /** Referrals a day, each of which sends a mail. */
  referralsPerDay: number;
}

/** Counts what comes from one network. What it learns of the counts is what it did itself. */
export interface PostLimits {
  /** @throws ApiError `rate_limited` */
  formPost(address: string): Promise<void>;
  /** @throws ApiError `rate_limited` */
  referral(address: string): Promise<void>;
}

export function createPostLimits(
  { formPostsPerHour, referralsPerDay }: PostLimitsConfig,
  { counts, now }: { counts: Counts; now: () => number },
): PostLimits {
  async function take(counted: Counted, most: number, what: string): Promise<void> {
    if (most === 0) return;
    const { count, endsAt } = await counts.add(counted, new Date(now()));
    if (count <= most) return;
    throw baseErrors.rate_limited(what, {
      headers: { 'retry-after': String(Math.ceil((endsAt.getTime() - now()) / 1000)) },
    });
  }
  return {
    formPost: (address) =>
      take(
        { name: 'form posts', of: networkOf(address), within: HOUR },
        formPostsPerHour,
        'There were too many forms from this address within an hour.',
      ),
    referral: (address) =>
      take(
        { name: 'referrals', of: networkOf(address), within: DAY },
        referralsPerDay,
        'There were too many referrals from this address within a day.',
      ),
  };
}
