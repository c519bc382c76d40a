import { MINUTE_MS } from '@site/server/durations';
import { createHashedCounts } from './hashed-counts.ts';

export interface QuotaOptions {
  /** Of one key, in a minute. */
  perKey: number;
  /** Of all together, in a minute. Without it one key can never use up what another one has. */
  perMinute?: number;
  /** How many keys are remembered: further ones get nothing in this minute. It bounds the memory. */
  maxKeys: number;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Whether there is some left; else whether the key has had enough, or all together. */
export type Left = 'allowed' | 'key' | 'all';

/** Counts within each minute: how often something is done, or what it costs. */
export interface MinuteQuota {
  /** What `take` would say. */
  ask(key: string): Left;
  /** Counts this many (default: one) for a key, if it has any left. */
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
      // What is beyond the quota makes no difference, and might not fit.
      counts.set(key, Math.min(own + count, perKey));
      return taken;
    },
  };
}
