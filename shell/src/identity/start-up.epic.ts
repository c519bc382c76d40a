import { map } from 'rxjs';
import { ofType } from 'redux-observable';
import { guestNeeded, sessionRequested, tokenExpired, tokenReused } from './actions.ts';
import type { IdentityEpic } from './dependencies.ts';
import { isExpired, readToken } from './token.ts';

/** The session's three cases: no token, a valid token, or a token to renew. */
export const startUpEpic: IdentityEpic = (action$, _state$, { appId, cookie, log, scheduler }) =>
  action$.pipe(
    ofType(sessionRequested.type),
    map(() => {
      const authToken = cookie.read();
      if (authToken === null) return guestNeeded();
      const contents = readToken(authToken, log);
      const token = { accessToken: { appId, authToken }, guestId: contents.guestId };
      const usable = contents.guestId !== '' && !isExpired(contents, scheduler.now());
      return usable ? tokenReused(token) : tokenExpired(token);
    }),
  );
