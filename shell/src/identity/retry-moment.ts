import { MAX_RETRIES } from '@site/contract/http';
import { merge, take, timer, type Observable } from 'rxjs';
import type { Dependencies } from './dependencies.ts';
import { LONGEST_DELAY_MS, retryDelay } from './retry-delay.ts';

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
  return merge(online$, timer(isOnline() ? retryDelay(attempt) : LONGEST_DELAY_MS, scheduler)).pipe(take(1));
}
