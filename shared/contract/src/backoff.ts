/** The maximum number of retries. */
export const MAX_RETRIES = 10;

/** The delay before a retry (from 1): `first`, doubled for each further one, at most `longest`. */
export function backoff(retry: number, first: number, longest: number = Infinity): number {
  return Math.min(first * 2 ** (retry - 1), longest);
}
