import { defer, exhaustMap, merge, mergeMap, of, throttleTime, type Observable } from 'rxjs';
import { ofType, type StateObservable } from 'redux-observable';
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
import type { Dependencies, IdentityEpic, RootState } from './dependencies.ts';
import type { AuthAnswer } from './gateway-client.ts';
import { emptyGuest, readGuest } from './guest.ts';
import { isFinal } from './request.ts';
import { readToken } from './token.ts';

/** The compiler holds it to the contract, whose schemas the browser has no use for. */
const TOKEN_HEADER: typeof Contract.TOKEN_HEADER = 'company-token';

/** Services that refuse a token or guest that was just obtained must not make it a loop: each counts this often at most. */
const REJECTION_PAUSE = 5 * 60_000;

/**
 * Gets a token whenever one is needed: one at a time within this tab (`exhaustMap`) and across tabs (the lock). Inside
 * the lock the cookie is read again, because another tab may just have done the work.
 */
export const tokenEpic: IdentityEpic = (action$, state$, deps) =>
  merge(
    action$.pipe(ofType(guestNeeded.type, tokenExpired.type, tokenExpiring.type)),
    action$.pipe(ofType(tokenRejected.type), throttleTime(REJECTION_PAUSE, deps.scheduler)),
    action$.pipe(ofType(guestUnknown.type), throttleTime(REJECTION_PAUSE, deps.scheduler)),
  ).pipe(exhaustMap((trigger) => deps.tokenLock.run(defer(() => obtainToken(trigger, state$, deps)))));

type Trigger = ReturnType<
  | typeof guestNeeded
  | typeof tokenExpired
  | typeof tokenExpiring
  | typeof tokenRejected
  | typeof guestUnknown
>;

function obtainToken(
  trigger: Trigger,
  state$: StateObservable<RootState>,
  deps: Dependencies,
): Observable<IdentityAction> {
  const { appId, cookie, log } = deps;
  const kept = cookie.read();
  if (kept !== null && kept !== state$.value.identity.accessToken.authToken) {
    // Not compared with the clock: a clock that is ahead would see every fresh token as expired.
    const { guestId } = readToken(kept, log);
    if (guestId) return of(tokenAdopted({ accessToken: { appId, authToken: kept }, guestId }));
  }
  const renewable = kept !== null && trigger.type !== guestNeeded.type && trigger.type !== guestUnknown.type;
  return renewable && trigger.guestId ? renewToken(trigger.guestId, deps) : createGuest(deps);
}

function renewToken(guestId: string, deps: Dependencies): Observable<IdentityAction> {
  return deps.gateway.authenticate(guestId).pipe(
    mergeMap((answer) => {
      if (answer.success) return of(acceptToken(answer, deps));
      deps.log.error('Error renewing token', answer.status, answer.statusText);
      return isFinal(answer.status)
        ? createGuest(deps)
        : of(tokenRenewalFailed({ status: answer.status }));
    }),
  );
}

function createGuest(deps: Dependencies): Observable<IdentityAction> {
  const id = deps.uuid();
  // Whatever token there is, it is of no use: kept, it would be tried again at every visit.
  deps.cookie.remove();
  return deps.gateway.createAndAuthenticate({ unique_id: id, user_unique_id: id }).pipe(
    mergeMap((answer) => {
      if (answer.success) return of(acceptToken(answer, deps));
      deps.log.error('Error creating guest', answer.status, answer.statusText);
      return of(guestCreationFailed({ status: answer.status }));
    }),
  );
}

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
