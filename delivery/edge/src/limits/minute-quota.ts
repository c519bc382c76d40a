import { MINUTE_MS } from '@site/server/durations';
import { createHashedCounts } from './hashed-counts.ts';

export interface QuotaOptions {
  /** Limit per key and minute. */
  perKey: number;
  /** Total limit per minute. Without it, keys are independent of each other. */
  perMinute?: number;
  /** Maximum number of keys, to bound memory. Further keys are rejected within this minute. */
  maxKeys: number;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Whether quota is left; if not, whether the key's or the total limit is reached. */
export type Left = 'allowed' | 'key' | 'all';

/** A quota per minute, counted in calls or cost. */
export interface MinuteQuota {
  /** Returns what `take` would, without counting. */
  ask(key: string): Left;
  /** Counts this many (default: one) for a key if any quota is left. */
  take(key: string, count?: number): Left;
}

export function createMinuteQuota({ perKey, perMinute = Infinity, maxKeys, now }: QuotaOptions): MinuteQuota {
  const counts = createHashedCounts(maxKeys);
  let minute = 0;
  let all = 0;

  function left(own: number): Left {
    if (own >= perKey) return 'key';
    return all >= perMinute || (own === 0 && !counts.hasRoom()) ? 'all' : 'allowed';
  }

  function countOf(key: string): number {
    const current = Math.floor(now() / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      all = 0;
      counts.clear();
    }
    return counts.get(key);
  }

  return {
    ask: (key) => left(countOf(key)),
    take(key, count = 1) {
      const own = countOf(key);
      const taken = left(own);
      if (taken !== 'allowed') return taken;
      all += count;
      // Clamp: counts above the quota have no effect, and might not fit.
      counts.set(key, Math.min(own + count, perKey));
      return taken;
    },
  };
}
