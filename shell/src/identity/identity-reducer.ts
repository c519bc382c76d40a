import type { Guest } from '@site/contract';
import * as actions from './actions.ts';
import type { AccessToken, IdentityAction } from './actions.ts';
import { emptyGuest } from './guest.ts';

/** The identity state, in exactly the specified shape. */
export interface IdentityState {
  isTokenExpired: boolean;
  accessToken: AccessToken;
  isGuestLoaded: boolean;
  guest: Guest;
}

export const initialIdentity: IdentityState = {
  isTokenExpired: false,
  accessToken: { appId: '', authToken: '' },
  isGuestLoaded: false,
  guest: emptyGuest,
};

function withGuestId(state: IdentityState, guestId: string): Pick<IdentityState, 'guest' | 'isGuestLoaded'> {
  if (state.guest.userUniqueId === guestId) return { guest: state.guest, isGuestLoaded: state.isGuestLoaded };
  return { guest: { ...emptyGuest, uniqueId: guestId, userUniqueId: guestId }, isGuestLoaded: false };
}

export function isCurrentGuest({ guest }: IdentityState, guestId: string): boolean {
  return guest.userUniqueId === guestId || guest.uniqueId === guestId;
}

export function identityReducer(
  state: IdentityState = initialIdentity,
  action: IdentityAction,
): IdentityState {
  switch (action.type) {
    case actions.tokenExpired.type:
      // Keep the expired token, because the services renew a token only for its bearer.
      return { ...state, isTokenExpired: true, accessToken: action.accessToken };
    case actions.tokenRejected.type:
      return action.authToken === state.accessToken.authToken ? { ...state, isTokenExpired: true } : state;
    case actions.tokenReused.type:
    case actions.tokenAdopted.type:
    case actions.tokenRefreshed.type:
      return {
        ...withGuestId(state, action.guestId),
        isTokenExpired: false,
        accessToken: action.accessToken,
      };
    case actions.guestLoaded.type:
      return { ...state, isGuestLoaded: true, guest: action.guest };
    case actions.guestUnknown.type:
      return isCurrentGuest(state, action.guestId)
        ? { ...state, isGuestLoaded: false, guest: emptyGuest }
        : state;
    default:
      return state;
  }
}
