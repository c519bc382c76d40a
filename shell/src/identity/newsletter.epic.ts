import {
  EMPTY,
  Subject,
  concatMap,
  defer,
  distinctUntilChanged,
  exhaustMap,
  filter,
  from,
  map,
  merge,
  skip,
  startWith,
  switchMap,
  timer,
} from 'rxjs';
import { ofType } from 'redux-observable';
import { subscriptionAttempted } from './actions.ts';
import type { IdentityEpic } from './dependencies.ts';
import { waitingTime } from './newsletter.ts';

/**
 * Sends kept subscriptions when they are due, including subscriptions of an earlier visit or another tab, and all of
 * them when the network returns. One tab at a time. Offline, no attempt is wasted.
 */
export const newsletterEpic: IdentityEpic = (action$, state$, deps) => {
  const { isOnline, online$, outbox, outboxLock, resume$, scheduler, sendSubscription } = deps;

  const nothingDue$ = new Subject<void>();

  const guest$ = state$.pipe(
    map(({ identity }) => identity.guest.uniqueId),
    distinctUntilChanged(),
    skip(1),
  );

  const nextTime$ = defer(() => {
    const waits = outbox.all().map((kept) => waitingTime(kept, scheduler.now()));
    return waits.length > 0 ? timer(Math.min(...waits), scheduler) : EMPTY;
  });

  return merge(
    merge(action$.pipe(ofType(subscriptionAttempted.type)), nothingDue$, resume$, guest$).pipe(
      startWith(null),
      switchMap(() => nextTime$),
      filter(isOnline),
      map(() => () => outbox.all().filter((kept) => waitingTime(kept, scheduler.now()) === 0)),
    ),
    online$.pipe(map(() => outbox.all)),
  ).pipe(
    exhaustMap((due) =>
      outboxLock.run(
        defer(() => {
          const subscriptions = due();
          if (subscriptions.length === 0) nothingDue$.next();
          return from(subscriptions);
        }).pipe(
          concatMap((subscription) => sendSubscription(subscription)),
          map(() => subscriptionAttempted()),
        ),
      ),
    ),
  );
};
