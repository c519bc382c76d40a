import { createMinuteQuota, type Left, type MinuteQuota } from '../limits/minute-quota.ts';

/** Maximum number of distinct networks per minute. Not more than views: an edge accepts 1,000 a second. */
const MAX_NETWORKS = 98_304;

/** Quota per network and minute, independent of other networks. 1.3 MB. */
export function networkQuota(perNetwork: number, now: () => number): MinuteQuota {
  return createMinuteQuota({ perKey: perNetwork, maxKeys: MAX_NETWORKS, now });
}

/** The reason for dropping a report over quota. */
export function shortOf(left: Exclude<Left, 'allowed'>): 'network' | 'full' {
  return left === 'key' ? 'network' : 'full';
}
