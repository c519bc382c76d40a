import type { CanaryShare } from '@site/contract';

/** The share of the visitors in percent, from how many of 10,000 it is. The other way: `basisPoints` of the contract. */
export const shareOf = (basisPoints: number): number => basisPoints / 100;

/** A canary, as answers show it. */
export const canaryShare = (release: CanaryShare['release'], basisPoints: number): CanaryShare => ({
  release,
  share: shareOf(basisPoints),
});
