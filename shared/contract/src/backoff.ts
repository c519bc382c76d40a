/** How often to retry before giving up or waiting for a change. */
export const MAX_RETRIES = 10;

/** How long to wait before a retry (from 1): `first` before the first one, twice as long before each next one, `longest` at most. */
export function backoff(retry: number, first: number, longest: number = Infinity): number {
  return Math.min(first * 2 ** (retry - 1), longest);
}
