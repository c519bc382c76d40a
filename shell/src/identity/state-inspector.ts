import type { Middleware } from 'redux';
import type { IdentityAction } from './actions.ts';
import type { RootState } from './dependencies.ts';

const ENTRIES = 25;

interface Entry {
  action: IdentityAction['type'];
  state: RootState;
}

/** Reduces the token to its presence: it is a credential, and logs are copied into bug reports. */
function withoutToken(state: RootState): RootState {
  const { appId, authToken } = state.identity.accessToken;
  return {
    ...state,
    identity: { ...state.identity, accessToken: { appId, authToken: authToken && '(hidden)' } },
  };
}

/** Logs each action with the resulting state and keeps the last 25 for debugging. Has no other effect. */
export function createStateInspector(log: Pick<Console, 'debug'>): Middleware<object, RootState> {
  const entries: Entry[] = [];
  return (store) => (next) => (action) => {
    const result = next(action);
    entries.push({ action: (action as IdentityAction).type, state: withoutToken(store.getState()) });
    if (entries.length > ENTRIES) entries.shift();
    log.debug('Identity', entries.at(-1), entries);
    return result;
  };
}
