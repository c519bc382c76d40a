import { merge, take, timer, type Observable } from 'rxjs';
import type { Dependencies } from './dependencies.ts';

/** Failed background work is tried again this often, then not until the network or the visitor returns. */
export const MAX_RETRIES = 10;

const LONGEST = 5 * 60_000;

/** 2 s before the first retry, twice as long before each next one, at most 5 minutes. */
export function retryDelay(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, LONGEST);
}

/** Emits once when it is time for retry number `attempt` (from 1), then completes. */
export function retryMoment(
  attempt: number,
  {
    isOnline,
    online$,
    resume$,
    scheduler,
  }: Pick<Dependencies, 'isOnline' | 'online$' | 'resume$' | 'scheduler'>,
): Observable<unknown> {
  if (attempt > MAX_RETRIES) return merge(online$, resume$).pipe(take(1));
  return merge(online$, timer(isOnline() ? retryDelay(attempt) : LONGEST, scheduler)).pipe(take(1));
}
