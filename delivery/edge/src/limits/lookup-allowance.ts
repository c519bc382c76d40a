import { BusyError } from '@site/server/turns';
import { createMinuteQuota } from './minute-quota.ts';

export interface AllowanceOptions {
  perMinute: number;
  perCaller: number;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Limits lookups per minute. The registry rate-limits each token, and an edge needs that quota for its releases, so
 * visitors must not exhaust it.
 *
 * @returns counts one lookup. It throws BusyError if the caller's or the total limit is reached.
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
