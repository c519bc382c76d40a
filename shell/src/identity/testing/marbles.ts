import { EMPTY, NEVER } from 'rxjs';
import { StateObservable } from 'redux-observable';
import { TestScheduler, type RunHelpers } from 'rxjs/testing';
import type { IdentityAction } from '../actions.ts';
import type { Dependencies, IdentityEpic, RootState } from '../dependencies.ts';
import type { AuthAnswer } from '../gateway-client.ts';
import { initialIdentity, type IdentityState } from '../identity-reducer.ts';
import { initialSearch } from '../search-reducer.ts';
import type { TokenCookie } from '../token-cookie.ts';

const unexpected = (name: string) => () => {
  throw new Error(`The epic was not expected to call ${name}.`);
};

/** Dependencies that reject every call that the test does not mock. */
export function testDependencies(scheduler: TestScheduler, given: Partial<Dependencies>): Dependencies {
  return {
    appId: 'gateway-app',
    gateway: {
      getGuest: unexpected('getGuest'),
      updateGuest: unexpected('updateGuest'),
      createAndAuthenticate: unexpected('createAndAuthenticate'),
      authenticate: unexpected('authenticate'),
    },
    forms: {
      registerGuest: unexpected('registerGuest'),
      getIdentity: unexpected('getIdentity'),
      updateIdentity: unexpected('updateIdentity'),
      subscribe: unexpected('subscribe'),
    },
    cookie: cookieWith(null),
    tokenLock: { run: (work$) => work$ },
    outbox: {
      add: unexpected('outbox.add'),
      all: () => [],
      isOwn: () => false,
      onDelivery: unexpected('outbox.onDelivery'),
      takeListener: () => undefined,
      update: () => undefined,
      remove: () => undefined,
    },
    outboxLock: { run: (work$) => work$ },
    sendSubscription: unexpected('sendSubscription'),
    uuid: () => 'fresh-guest',
    scheduler,
    isOnline: () => true,
    online$: NEVER,
    resume$: NEVER,
    log: { error: jest.fn(), warn: jest.fn(), debug: jest.fn() },
    ...given,
  };
}

export function cookieWith(token: string | null): TokenCookie {
  let kept = token;
  return {
    read: () => kept,
    write: (value) => {
      kept = value;
    },
    remove: () => {
      kept = null;
    },
  };
}

export function stateWith(identity: Partial<IdentityState> = {}): RootState {
  return { identity: { ...initialIdentity, ...identity }, search: initialSearch };
}

interface Given {
  /** The epic's input actions, as a marble diagram of the keys of `values`. */
  actions: string;
  expected: string;
  values: Record<string, IdentityAction>;
  state?: RootState;
  dependencies?: (helpers: RunHelpers) => Partial<Dependencies>;
}

/** Runs an epic in virtual time and compares its actions with a diagram. Returns the dependencies, for their logs. */
export function runEpic(epic: IdentityEpic, given: Given): Dependencies {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  return scheduler.run((helpers) => {
    const deps = testDependencies(scheduler, given.dependencies?.(helpers) ?? {});
    const state = given.state ?? stateWith();
    // Like the store's, the actions never complete.
    const action$ = helpers.hot<IdentityAction>(given.actions, given.values);
    const state$ = new StateObservable(EMPTY, state);
    helpers.expectObservable(epic(action$, state$, deps)).toBe(given.expected, given.values);
    return deps;
  });
}

/** A successful response of the create-and-authenticate calls, with this token in its header. */
export const authAnswer = (token: string | null, data: unknown = null): AuthAnswer => ({
  success: true,
  headers: new Map(token === null ? [] : [['company-token', token]]) as unknown as Headers,
  status: 201,
  data,
  errors: [],
});

/** A failed response of the create-and-authenticate calls. */
export const authFailure = (status: number, statusText = '', code?: string): AuthAnswer => ({
  success: false,
  status,
  statusText,
  errors: code === undefined ? [] : [{ code }],
});
