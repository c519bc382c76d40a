import {
  EMPTY,
  concatMap,
  defer,
  exhaustMap,
  filter,
  from,
  map,
  merge,
  startWith,
  switchMap,
  timer,
} from 'rxjs';
import { ofType } from 'redux-observable';
import { subscriptionFailed, subscriptionSent } from './actions.ts';
import type { IdentityEpic } from './dependencies.ts';

/**
 * Sends kept subscriptions when their time has come, also those that an earlier visit left, and all of them when the
 * network returns. One tab at a time; without network no try is wasted.
 */
export const newsletterEpic: IdentityEpic = (action$, _state$, deps) => {
  const { isOnline, online$, outbox, outboxLock, scheduler, sendSubscription } = deps;

  const nextTime$ = defer(() => {
    const next = outbox.all()[0];
    return next ? timer(Math.max(next.nextAt - scheduler.now(), 0), scheduler) : EMPTY;
  });

  return merge(
    action$.pipe(
      ofType(subscriptionSent.type, subscriptionFailed.type),
      startWith(null),
      switchMap(() => nextTime$),
      filter(isOnline),
      map(() => () => outbox.all().filter(({ nextAt }) => nextAt <= scheduler.now())),
    ),
    online$.pipe(map(() => outbox.all)),
  ).pipe(
    exhaustMap((due) =>
      outboxLock.run(
        defer(() => from(due())).pipe(
          concatMap((subscription) => sendSubscription(subscription)),
          map((outcome) => (outcome === 'sent' ? subscriptionSent() : subscriptionFailed())),
        ),
      ),
    ),
  );
};
