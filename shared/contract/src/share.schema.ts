import * as v from 'valibot';

/** The number of canary buckets: a visitor's bucket is a whole number from 0 to 9999. */
export const BUCKETS = 10_000;

/** The percentage of visitors that see a canary: more than 0, less than 100, at most two decimals. */
export const ShareSchema = v.pipe(
  v.number('A share is a percentage, such as 10 or 0.25.'),
  v.check(
    (share) => share > 0 && share < 100,
    'A share is more than 0 and less than 100 percent: "promote" shows the canary to everyone, "abort" to no one.',
  ),
  v.check((share) => basisPoints(share) / 100 === share, 'A share has at most two decimals, such as 12.25.'),
);

/**
 * The number of buckets that see the canary: a visitor sees it if `bucket < basisPoints(share)`. Exact for
 * two decimals, where `share * 100` is not (`1.15 * 100` is `114.99999999999999`).
 */
export function basisPoints(share: number): number {
  return Math.round(share * 100);
}
