import { distinctUntilChanged, filter, from, map, mergeMap, of, switchMap } from 'rxjs';
import { ofType } from 'redux-observable';
import {
  identityLoaded,
  registrationFailed,
  registrationRequested,
  tokenRejected,
  type IdentityAction,
} from './actions.ts';
import type { IdentityEpic } from './dependencies.ts';
import { untilOtherGuest } from './until-other-guest.ts';

export const registrationRequestEpic: IdentityEpic = (_action$, state$) =>
  state$.pipe(
    map(({ identity }) => (identity.isGuestLoaded ? identity.guest.uniqueId : '')),
    distinctUntilChanged(),
    filter((guestId) => guestId !== ''),
    map((guestId) => registrationRequested({ guestId })),
  );

export const registrationEpic: IdentityEpic = (action$, state$, { forms, log }) =>
  action$.pipe(
    ofType(registrationRequested.type),
    switchMap(({ guestId }) => {
      const { authToken } = state$.value.identity.accessToken;
      return forms.registerGuest(guestId).pipe(
        untilOtherGuest(guestId, action$, state$),
        mergeMap(({ userIdentity, status, statusText }) => {
          if (userIdentity) return of<IdentityAction>(identityLoaded({ userIdentity }));
          log.error('Error registering guest', status, statusText);
          const failed = registrationFailed({ guestId, status });
          return status === 401 ? from([failed, tokenRejected({ guestId, authToken })]) : of(failed);
        }),
      );
    }),
  );
