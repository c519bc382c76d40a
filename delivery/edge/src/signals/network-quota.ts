import { createMinuteQuota, type Left, type MinuteQuota } from '../limits/minute-quota.ts';

/** Networks that are told apart within a minute. There are no more than views, of which an edge takes 1,000 a second. */
const MAX_NETWORKS = 98_304;

/** What one network may do within a minute. What others do takes nothing of it. 1.3 MB. */
export function networkQuota(perNetwork: number, now: () => number): MinuteQuota {
  return createMinuteQuota({ perKey: perNetwork, maxKeys: MAX_NETWORKS, now });
}

/** Why something is dropped that a quota does not allow. */
export function shortOf(left: Exclude<Left, 'allowed'>): 'network' | 'full' {
  return left === 'key' ? 'network' : 'full';
}
