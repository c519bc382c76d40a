import { backoff } from '@site/contract/http';

export const LONGEST_DELAY_MS = 5 * 60_000;

/** 2 s before the first retry, doubled for each further one, at most 5 minutes. */
export function retryDelay(attempt: number): number {
  return backoff(attempt, 2000, LONGEST_DELAY_MS);
}
