import * as actions from './actions.ts';
import type { IdentityAction } from './actions.ts';
import type { UserIdentity } from './user-identity.ts';

export interface SearchState {
  isIdentityLoaded: boolean;
  userIdentity: UserIdentity | null;
}

export const initialSearch: SearchState = { isIdentityLoaded: false, userIdentity: null };

export function searchReducer(state: SearchState = initialSearch, action: IdentityAction): SearchState {
  switch (action.type) {
    case actions.identityLoaded.type:
      return { isIdentityLoaded: true, userIdentity: action.userIdentity };
    case actions.tokenAdopted.type:
    case actions.tokenRefreshed.type:
      // The token may belong to another guest: a new one that replaces an unknown one.
      return state.userIdentity?.uniqueId === action.guestId ? state : initialSearch;
    case actions.guestUnknown.type:
      return state.userIdentity?.uniqueId === action.guestId ? initialSearch : state;
    default:
      return state;
  }
}
