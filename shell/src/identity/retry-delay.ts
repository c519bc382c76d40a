/** Failed background work is tried again this often, then not until the network or the visitor returns. */
export const MAX_RETRIES = 10;

/** The longest wait for a retry. Milliseconds. */
export const LONGEST_DELAY = 5 * 60_000;

/** 2 s before the first retry, twice as long before each next one, at most 5 minutes. */
export function retryDelay(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, LONGEST_DELAY);
}
