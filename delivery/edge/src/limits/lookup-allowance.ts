import { BusyError } from '@site/server/turns';

export interface AllowanceOptions {
  perMinute: number;
  perCaller: number;
  /** Milliseconds since 1970. */
  now(): number;
}

const MINUTE_MS = 60_000;

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
  let minute = 0;
  let all = 0;
  let asked = new Map<string, number>();
  return (caller) => {
    const current = Math.floor(now() / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      all = 0;
      asked = new Map();
    }
    const own = asked.get(caller) ?? 0;
    if (own >= perCaller) throw new BusyError(`One address asked for ${perCaller} files within a minute.`);
    if (all >= perMinute) throw new BusyError(`${perMinute} files were asked for within a minute.`);
    all += 1;
    asked.set(caller, own + 1);
  };
}
