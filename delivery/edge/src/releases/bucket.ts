import { randomInt } from 'node:crypto';
import { basisPoints, BUCKETS } from '@site/contract';
import type { LoadedRelease } from './loaded-release.ts';

/** A release that a share of the visitors sees in place of the live one. */
export interface LoadedCanary {
  release: LoadedRelease;
  /** Percent, with at most two decimals. */
  share: number;
}

/**
 * Whether a visitor sees the canary. The buckets from 0 up see it, as many as the share has hundredths of a percent, so
 * that raising the share takes nobody out.
 */
export function seesCanary(bucket: number, share: number): boolean {
  return bucket < basisPoints(share);
}

/** Draws a bucket, all of them with equal probability. */
export function drawBucket(): number {
  return randomInt(BUCKETS);
}
