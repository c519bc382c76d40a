import type { IdentityAction } from './actions.ts';
import type { RootState } from './dependencies.ts';
import { identityReducer } from './identity-reducer.ts';
import { searchReducer } from './search-reducer.ts';

/** The whole state. Redux's `combineReducers` would add checks to the bundle. */
export function rootReducer(state: RootState | undefined, action: IdentityAction): RootState {
  const identity = identityReducer(state?.identity, action);
  const search = searchReducer(state?.search, action);
  return identity === state?.identity && search === state.search ? state : { identity, search };
}
