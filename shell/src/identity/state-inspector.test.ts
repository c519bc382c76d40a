import { applyMiddleware, legacy_createStore as createStore } from 'redux';
import { sessionRequested, subscriptionAttempted, tokenReused } from './actions.ts';
import { rootReducer } from './root-reducer.ts';
import { createStateInspector } from './state-inspector.ts';

function inspected() {
  const log = { debug: jest.fn<undefined, [string, { action: string }, { action: string }[]]>() };
  const store = createStore(rootReducer, applyMiddleware(createStateInspector(log as never)));
  return { log, store };
}

test('logs each action with the state after it', () => {
  const { log, store } = inspected();
  store.dispatch(sessionRequested());
  expect(log.debug.mock.calls[0]?.[1]).toEqual({
    action: '[Shell] Session Requested',
    state: store.getState(),
  });
});

test('keeps the last 25', () => {
  const { log, store } = inspected();
  store.dispatch(sessionRequested());
  for (let count = 0; count < 25; count += 1) store.dispatch(subscriptionAttempted());
  const entries = log.debug.mock.lastCall?.[2] ?? [];
  expect(entries).toHaveLength(25);
  expect(entries.some(({ action }) => action === '[Shell] Session Requested')).toBe(false);
});

test('shows no token', () => {
  const { log, store } = inspected();
  store.dispatch(tokenReused({ accessToken: { appId: 'app', authToken: 'secret' }, guestId: 'guest-1' }));
  expect(JSON.stringify(log.debug.mock.calls)).not.toContain('secret');
  expect(store.getState().identity.accessToken.authToken).toBe('secret');
});
