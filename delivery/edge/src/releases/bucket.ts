import { randomInt } from 'node:crypto';
import { basisPoints, BUCKETS } from '@site/contract';
import type { LoadedRelease } from './loaded-release.ts';

export interface LoadedCanary {
  release: LoadedRelease;
  share: number;
}

/**
 * A share selects the lowest buckets, as many as its hundredths of a percent, so that raising it removes no visitor
 * from the canary.
 */
export function seesCanary(bucket: number, share: number): boolean {
  return bucket < basisPoints(share);
}

export function drawBucket(): number {
  return randomInt(BUCKETS);
}
