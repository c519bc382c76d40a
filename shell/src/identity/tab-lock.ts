import { Observable, type SchedulerLike, type Subscription, asyncScheduler } from 'rxjs';

/** Lets one tab at a time do something. */
export interface TabLock {
  /** Does `work$` while no other tab of the site is at its own, and holds them off until it completes. */
  run<T>(work$: Observable<T>): Observable<T>;
}

/**
 * A holder's calls time out long before this, and the browser frees the lock of a tab that dies. Only a tab that is
 * suspended with the lock is left to wait for; going ahead without it costs one call too many at worst.
 */
const PATIENCE_MS = 45_000;

/** A lock across tabs by Web Locks; in a browser or context without them each tab is on its own. */
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
            // Refused (in an opaque origin, say): do without. Given up by ourselves: the work is under way or not wanted.
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
