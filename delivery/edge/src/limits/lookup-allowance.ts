import { BusyError } from '@site/server/turns';
import { createMinuteQuota } from './minute-quota.ts';

export interface AllowanceOptions {
  perMinute: number;
  perCaller: number;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Counts questions within each minute. The registry limits what one token asks for, and an edge needs that for its releases:
 * visitors must not be able to use it up.
 *
 * @returns counts one question. It throws BusyError when the caller, or all together, have asked enough.
 */
export function createLookupAllowance({
  perMinute,
  perCaller,
  now,
}: AllowanceOptions): (caller: string) => void {
  const quota = createMinuteQuota({ perKey: perCaller, perMinute, maxKeys: perMinute, now });
  return (caller) => {
    const taken = quota.take(caller);
    if (taken === 'key') throw new BusyError(`One address asked for ${perCaller} files within a minute.`);
    if (taken === 'all') throw new BusyError(`${perMinute} files were asked for within a minute.`);
  };
}
