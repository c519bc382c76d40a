import { defer, exhaustMap, filter, map, merge, mergeMap, of, throttleTime, type Observable } from 'rxjs';
import { ofType } from 'redux-observable';
import type * as Contract from '@site/contract';
import {
  guestCreationFailed,
  guestNeeded,
  guestUnknown,
  tokenAdopted,
  tokenExpired,
  tokenExpiring,
  tokenMissing,
  tokenRefreshed,
  tokenRejected,
  tokenRenewalFailed,
  type IdentityAction,
} from './actions.ts';
import type { Dependencies, IdentityEpic } from './dependencies.ts';
import { isGuestLost, type AuthAnswer } from './gateway-client.ts';
import { emptyGuest, readGuest } from './guest.ts';
import { readToken } from './token.ts';

/** The type keeps it equal to the contract's value, without loading its schemas in the browser. */
const TOKEN_HEADER: typeof Contract.TOKEN_HEADER = 'company-token';

/** A service that rejects a new token or guest must not cause a loop: at most one rejection per pause. */
const REJECTION_PAUSE_MS = 5 * 60_000;

/**
 * Gets a token on demand: one at a time within this tab (`exhaustMap`) and across tabs (the lock). Rereads the cookie
 * inside the lock, because another tab may have updated it.
 */
export const tokenEpic: IdentityEpic = (action$, state$, deps) => {
  const { appId, cookie, gateway, log, scheduler, tokenLock, uuid } = deps;

  /** A creation without a response may have succeeded: retry it unchanged, so that there is one guest. */
  let unanswered: { id: string; key: string } | null = null;

  const createGuest = (): Observable<IdentityAction> => {
    const { id, key } = (unanswered ??= { id: uuid(), key: uuid() });
    // The token is useless. If kept, each visit would try it again.
    cookie.remove();
    return gateway.createAndAuthenticate({ unique_id: id, user_unique_id: id }, key).pipe(
      mergeMap((answer) => {
        if (answer.status > 0 && answer.status < 500) unanswered = null;
        if (answer.success) return of(acceptToken(answer, deps));
        log.error('Error creating guest', answer.status, answer.statusText);
        return of(guestCreationFailed({ status: answer.status }));
      }),
    );
  };

  const renewToken = (guestId: string): Observable<IdentityAction> =>
    gateway.authenticate(guestId).pipe(
      mergeMap((answer) => {
        if (answer.success) return of(acceptToken(answer, deps));
        log.error('Error renewing token', answer.status, answer.statusText);
        return isGuestLost(answer) ? createGuest() : of(tokenRenewalFailed({ status: answer.status }));
      }),
    );

  /** `guestId`: the guest whose token to renew. Null requires a new guest. */
  const obtainToken = (guestId: string | null): Observable<IdentityAction> => {
    const kept = cookie.read();
    if (kept !== null && kept !== state$.value.identity.accessToken.authToken) {
      // No expiry check: a clock that is ahead would treat every new token as expired.
      const another = readToken(kept, log);
      if (another.guestId) {
        return of(tokenAdopted({ accessToken: { appId, authToken: kept }, guestId: another.guestId }));
      }
    }
    return kept !== null && guestId ? renewToken(guestId) : createGuest();
  };

  const pause = <T>() => throttleTime<T>(REJECTION_PAUSE_MS, scheduler);
  const toRenew$ = merge(
    action$.pipe(ofType(tokenExpired.type, tokenExpiring.type)),
    action$.pipe(
      ofType(tokenRejected.type),
      filter(({ authToken }) => authToken === state$.value.identity.accessToken.authToken),
      pause(),
    ),
  );
  const toReplace$ = merge(
    action$.pipe(ofType(guestNeeded.type)),
    action$.pipe(
      ofType(guestUnknown.type),
      // The reducer has removed an unknown guest. Another guest stays.
      filter(() => state$.value.identity.guest.userUniqueId === ''),
      pause(),
    ),
  );
  return merge(toRenew$.pipe(map(({ guestId }) => guestId)), toReplace$.pipe(map(() => null))).pipe(
    exhaustMap((guestId) => tokenLock.run(defer(() => obtainToken(guestId)))),
  );
};

function acceptToken(
  { headers, data }: Extract<AuthAnswer, { success: true }>,
  { appId, cookie, log }: Dependencies,
): IdentityAction {
  const authToken = headers.get(TOKEN_HEADER);
  if (!authToken) {
    log.error('Company token is missing in the response headers');
    return tokenMissing();
  }
  const { guestId } = readToken(authToken, log);
  // A token without a guest ID is unusable, and publishing it would only request the next one.
  if (!guestId) return tokenMissing();
  cookie.write(authToken);
  const guest = readGuest(data);
  return tokenRefreshed({
    accessToken: { appId, authToken },
    guestId,
    guest: guest === emptyGuest || guest.userUniqueId !== guestId ? null : guest,
  });
}
