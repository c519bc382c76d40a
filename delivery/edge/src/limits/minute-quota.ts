import { MINUTE_MS } from '@site/server/durations';
import { BusyError } from '@site/server/turns';
import { createHashedCounts } from './hashed-counts.ts';

export interface QuotaOptions {
  perKey: number;
  perMinute?: number;
  /** Bounds memory: further keys are rejected within this minute. */
  maxKeys: number;
  now(): number;
}

/** If none is left: whether the key's or the total limit is reached. */
export type Left = 'allowed' | 'key' | 'all';

export interface MinuteQuota {
  ask(key: string): Left;
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

  function currentCount(key: string): number {
    const current = Math.floor(now() / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      all = 0;
      counts.clear();
    }
    return counts.get(key);
  }

  return {
    ask: (key) => left(currentCount(key)),
    take(key, count = 1) {
      const own = currentCount(key);
      const taken = left(own);
      if (taken !== 'allowed') return taken;
      all += count;
      // Clamp: counts above the quota have no effect, and might not fit.
      counts.set(key, Math.min(own + count, perKey));
      return taken;
    },
  };
}

export interface AllowanceOptions {
  perMinute: number;
  perCaller: number;
  now(): number;
}

/**
 * The registry rate-limits each token, and an edge needs that quota for its releases, so visitors must not exhaust
 * it. @returns counts one lookup; throws BusyError at a limit.
 */
export function createLookupAllowance({
  perMinute,
  perCaller,
  now,
}: AllowanceOptions): (caller: string) => void {
  const quota = createMinuteQuota({ perKey: perCaller, perMinute, maxKeys: perMinute, now });
  return (caller) => {
    const taken = quota.take(caller);
    if (taken === 'key') throw new BusyError(`One address requested ${perCaller} files within a minute.`);
    if (taken === 'all') throw new BusyError(`${perMinute} files were requested within a minute.`);
  };
}
