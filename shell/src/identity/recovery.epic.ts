import { EMPTY, map, scan, switchMap } from 'rxjs';
import { combineEpics, ofType } from 'redux-observable';
import {
  guestCreationFailed,
  guestLoaded,
  guestRequested,
  guestUnknown,
  identityLoaded,
  loadGuestFailed,
  registrationFailed,
  registrationRequested,
  sessionRequested,
  tokenAdopted,
  tokenMissing,
  tokenRefreshed,
  tokenRenewalFailed,
  type IdentityAction,
} from './actions.ts';
import type { IdentityEpic } from './dependencies.ts';
import { isFinal } from './request.ts';
import { retryMoment } from './retry-moment.ts';
import { untilOtherGuest } from './until-other-guest.ts';

/** Retryable, because the token is renewed in parallel and a taken ID is replaced. */
const worthARetry = (status: number) => !isFinal(status) || status === 401 || status === 409;

/**
 * Retries each failure with increasing delays until an action of `ends`. Permanent failures and failures of another
 * guest are not retried.
 */
function recover(
  failures: readonly IdentityAction['type'][],
  ends: readonly IdentityAction['type'][],
  retry: (guestId: string) => IdentityAction,
): IdentityEpic {
  return (action$, state$, deps) =>
    action$.pipe(
      ofType(...([...failures, ...ends] as [IdentityAction['type']])),
      scan(
        (before, action) => {
          const failed = failures.includes(action.type) && 'status' in action && worthARetry(action.status);
          const guestId = 'guestId' in action ? action.guestId : '';
          const count = guestId === before.guestId ? before.count : 0;
          return { guestId, count: failed ? count + 1 : 0 };
        },
        { guestId: '', count: 0 },
      ),
      switchMap(({ guestId, count }) =>
        count === 0
          ? EMPTY
          : retryMoment(count, deps).pipe(
              untilOtherGuest(guestId, action$, state$),
              map(() => retry(guestId)),
            ),
      ),
    );
}

export const recoveryEpic: IdentityEpic = combineEpics(
  // Restarts from the cookie, in any of the session's three cases. A reused token does not count as a success.
  recover(
    [tokenRenewalFailed.type, guestCreationFailed.type],
    [tokenRefreshed.type, tokenAdopted.type, tokenMissing.type],
    () => sessionRequested(),
  ),
  recover([loadGuestFailed.type], [guestLoaded.type, guestUnknown.type], (guestId) =>
    guestRequested({ guestId }),
  ),
  recover([registrationFailed.type], [identityLoaded.type], (guestId) => registrationRequested({ guestId })),
);
