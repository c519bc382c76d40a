import { once, type EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** A safety net, not a measurement: a busy machine may need this long. */
const LIMIT_MS = 30_000;
/** Most events are those of child processes, which start slowly. */
const EVENT_LIMIT_MS = 60_000;
const PAUSE_MS = 2;
/** Tests replace the global clock. */
const now = performance.now.bind(performance);

interface WaitOptions {
  /** Shown on failure. Default: the text of the check. */
  description?: string;
  limitMs?: number;
}

/**
 * Calls a check until it passes, as in `waitFor(() => expect(edge.release()).toBe('r2'))`. It passes if it
 * returns something other than false and null, and does not throw.
 * @returns the check's value.
 * @throws Error with the description, and the last value or error, at the limit.
 */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  { description = check.toString(), limitMs = LIMIT_MS }: WaitOptions = {},
): Promise<Exclude<T, false | null>> {
  const giveUpAt = now() + limitMs;
  let last: unknown;
  const attempt = async () => {
    try {
      last = await check();
      return last !== false && last !== null;
    } catch (error) {
      last = error;
      return false;
    }
  };
  // The limit also applies to a hanging check.
  while (!(await beforeLimit(attempt(), giveUpAt - now()))) {
    if (now() >= giveUpAt) throw timedOut(description, limitMs, last);
    await sleep(PAUSE_MS);
  }
  return last as Exclude<T, false | null>;
}

/** Waits for a promise, as in `arrival('the first read', read)`. A test may leave it pending. */
export function arrival<T>(description: string, promise: PromiseLike<T>, limitMs = LIMIT_MS): Promise<T> {
  const arrived = beforeLimit(
    Promise.resolve(promise).then((value) => ({ value })),
    limitMs,
  ).then((result) => {
    if (!result) throw timedOut(description, limitMs, undefined);
    return result.value;
  });
  arrived.catch(() => undefined);
  return arrived;
}

export function nextEvent(emitter: EventEmitter, event: string): Promise<unknown[]> {
  return arrival(`the event "${event}" of ${emitter.constructor.name}`, once(emitter, event), EVENT_LIMIT_MS);
}

/** @returns false at the limit. */
async function beforeLimit<T>(promise: Promise<T>, ms: number): Promise<T | false> {
  const stop = new AbortController();
  const limit = sleep(Math.max(ms, 1), false as const, { signal: stop.signal, ref: false });
  limit.catch(() => undefined);
  try {
    return await Promise.race([promise, limit]);
  } finally {
    stop.abort();
  }
}

function timedOut(description: string, limitMs: number, last: unknown): Error {
  const ending = last === undefined ? '' : `\nLast: ${last instanceof Error ? last.message : inspect(last)}`;
  return new Error(`Timed out after ${limitMs / 1_000} s waiting for: ${description}${ending}`, {
    cause: last,
  });
}
