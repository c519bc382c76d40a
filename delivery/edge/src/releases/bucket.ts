import { randomInt } from 'node:crypto';
import { basisPoints, BUCKETS } from '@site/contract';
import type { LoadedRelease } from './loaded-release.ts';

/** A release that a share of the visitors sees instead of the live one. */
export interface LoadedCanary {
  release: LoadedRelease;
  /** Percent, with at most two decimals. */
  share: number;
}

/**
 * Whether a visitor sees the canary. A share selects the lowest buckets, as many as its hundredths of a percent, so
 * that raising the share removes no visitor from the canary.
 */
export function seesCanary(bucket: number, share: number): boolean {
  return bucket < basisPoints(share);
}

/** A uniformly random bucket. */
export function drawBucket(): number {
  return randomInt(BUCKETS);
}
