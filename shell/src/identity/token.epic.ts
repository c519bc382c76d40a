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

/** The compiler holds it to the contract, whose schemas the browser has no use for. */
const TOKEN_HEADER: typeof Contract.TOKEN_HEADER = 'company-token';

/** Services that refuse a token or guest that was just obtained must not make it a loop: each counts this often at most. */
const REJECTION_PAUSE_MS = 5 * 60_000;

/**
 * Gets a token whenever one is needed: one at a time within this tab (`exhaustMap`) and across tabs (the lock). Inside
 * the lock the cookie is read again, because another tab may just have done the work.
 */
export const tokenEpic: IdentityEpic = (action$, state$, deps) => {
  const { appId, cookie, gateway, log, scheduler, tokenLock, uuid } = deps;

  /** A creation whose answer never came may have happened: it is repeated as it was, so that it stays one guest. */
  let unanswered: { id: string; key: string } | null = null;

  const createGuest = (): Observable<IdentityAction> => {
    const { id, key } = (unanswered ??= { id: uuid(), key: uuid() });
    // Whatever token there is, it is of no use: kept, it would be tried again at every visit.
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

  /** `guestId` is the guest to renew the token for; null when only a fresh one will do. */
  const obtainToken = (guestId: string | null): Observable<IdentityAction> => {
    const kept = cookie.read();
    if (kept !== null && kept !== state$.value.identity.accessToken.authToken) {
      // Not compared with the clock: a clock that is ahead would see every fresh token as expired.
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
      // The reducer has removed an unknown guest. A different guest is left alone.
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
  // A token for nobody is as good as none, and publishing it would only ask for the next one.
  if (!guestId) return tokenMissing();
  cookie.write(authToken);
  const guest = readGuest(data);
  return tokenRefreshed({
    accessToken: { appId, authToken },
    guestId,
    guest: guest === emptyGuest || guest.userUniqueId !== guestId ? null : guest,
  });
}
