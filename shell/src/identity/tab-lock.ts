import { Observable, type SchedulerLike, type Subscription, asyncScheduler } from 'rxjs';

/** A lock across tabs. */
export interface TabLock {
  run<T>(work$: Observable<T>): Observable<T>;
}

/**
 * A holder's calls time out well before this, and the browser frees the lock of a crashed tab. Only a tab that is
 * suspended with the lock remains. Continuing without the lock costs at most one extra call.
 */
const PATIENCE_MS = 45_000;

export function createTabLock(
  name: string,
  locks: Pick<LockManager, 'request'> | undefined,
  scheduler: SchedulerLike = asyncScheduler,
): TabLock {
  if (!locks) return { run: (work$) => work$ };
  return {
    run: <T>(work$: Observable<T>) =>
      new Observable<T>((subscriber) => {
        const waiting = new AbortController();
        let work: Subscription | undefined;
        const begin = () => {
          patience.unsubscribe();
          work = work$.subscribe(subscriber);
          return work;
        };
        const patience = scheduler.schedule(() => {
          waiting.abort();
          begin();
        }, PATIENCE_MS);

        locks
          .request(name, { signal: waiting.signal }, () => {
            if (subscriber.closed || work) return undefined;
            return new Promise<void>((release) => begin().add(release));
          })
          .catch(() => {
            // Denied (for example in an opaque origin): run without it. Aborted by us: the work has started or is
            // obsolete.
            if (!work && !subscriber.closed) begin();
          });

        return () => {
          patience.unsubscribe();
          waiting.abort();
          work?.unsubscribe();
        };
      }),
  };
}
