import { EMPTY, from, map, merge, mergeMap, of, switchMap } from 'rxjs';
import { ofType } from 'redux-observable';
import {
  guestLoaded,
  guestRequested,
  guestUnknown,
  loadGuestFailed,
  tokenAdopted,
  tokenRefreshed,
  tokenRejected,
  tokenReused,
  type IdentityAction,
} from './actions.ts';
import type { IdentityEpic } from './dependencies.ts';
import { isGuestLost } from './gateway-client.ts';
import { emptyGuest } from './guest.ts';
import { untilOtherGuest } from './until-other-guest.ts';

export const guestRequestEpic: IdentityEpic = (action$, state$) =>
  merge(
    action$.pipe(
      ofType(tokenRefreshed.type),
      map(({ guestId, guest }) => ({ guestId, guest })),
    ),
    action$.pipe(
      ofType(tokenReused.type, tokenAdopted.type),
      map(({ guestId }) => ({ guestId, guest: null })),
    ),
  ).pipe(
    mergeMap(({ guestId, guest }) => {
      if (guest) return of(guestLoaded({ guest }));
      return state$.value.identity.isGuestLoaded ? EMPTY : of(guestRequested({ guestId }));
    }),
  );

export const guestEpic: IdentityEpic = (action$, state$, { gateway }) =>
  action$.pipe(
    ofType(guestRequested.type),
    switchMap(({ guestId }) => {
      const { authToken } = state$.value.identity.accessToken;
      return gateway.getGuest(guestId).pipe(
        untilOtherGuest(guestId, action$, state$),
        mergeMap(({ guest, status, errors }) => {
          if (guest !== emptyGuest) return of<IdentityAction>(guestLoaded({ guest }));
          if (status !== 401 && isGuestLost({ errors })) return of(guestUnknown({ guestId }));
          const failed = loadGuestFailed({ guestId, status });
          return status === 401 ? from([failed, tokenRejected({ guestId, authToken })]) : of(failed);
        }),
      );
    }),
  );
