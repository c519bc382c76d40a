import { EMPTY, filter, map, merge, switchMap, take, timer } from 'rxjs';
import { ofType } from 'redux-observable';
import { tokenAdopted, tokenExpiring, tokenRefreshed, tokenReused } from './actions.ts';
import type { IdentityEpic } from './dependencies.ts';
import { readToken, type TokenContents } from './token.ts';

const MINUTE_MS = 60_000;

/** Browsers fire a timer of more than 2³¹ ms immediately. */
const LONGEST_MS = 20 * 24 * 60 * MINUTE_MS;

/** Minimum use of a new token, even with a wrong clock or an odd token. */
const SHORTEST_MS = MINUTE_MS / 2;

type TokenAction = ReturnType<typeof tokenReused | typeof tokenAdopted | typeof tokenRefreshed>;

/**
 * The delay in ms until the renewal: a minute before the token expires, less for short-lived tokens. Null without
 * `exp`. A new token uses the issuer's clock (`exp - iat`), because the visitor's clock may be wrong.
 */
export function renewalDelay(
  type: TokenAction['type'],
  { exp, iat }: TokenContents,
  now: number,
): number | null {
  if (exp === null) return null;
  const lifetime = iat !== null && exp > iat ? (exp - iat) * 1000 : null;
  const margin = lifetime === null ? MINUTE_MS : Math.min(MINUTE_MS, lifetime / 4);
  const byClock = exp * 1000 - now - margin;
  const byLifetime = lifetime === null ? byClock : lifetime - margin;
  switch (type) {
    case tokenReused.type:
      return Math.min(Math.max(byClock, 0), LONGEST_MS);
    case tokenAdopted.type:
      return Math.min(Math.max(byClock > 0 ? byClock : byLifetime, SHORTEST_MS), LONGEST_MS);
    case tokenRefreshed.type:
      return Math.min(Math.max(byLifetime, SHORTEST_MS), LONGEST_MS);
  }
}

/** Renews the token shortly before it expires. Timers missed during sleep run when the visitor returns. */
export const renewalTimerEpic: IdentityEpic = (action$, _state$, { log, resume$, scheduler }) =>
  action$.pipe(
    ofType(tokenReused.type, tokenAdopted.type, tokenRefreshed.type),
    switchMap(({ type, accessToken, guestId }) => {
      const now = scheduler.now();
      const delay = renewalDelay(type, readToken(accessToken.authToken, log), now);
      if (delay === null) return EMPTY;
      return merge(timer(delay, scheduler), resume$.pipe(filter(() => scheduler.now() >= now + delay))).pipe(
        take(1),
        map(() => tokenExpiring({ guestId })),
      );
    }),
  );
