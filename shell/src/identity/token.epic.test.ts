import { NEVER, of, switchMap, tap, type Observable } from 'rxjs';
import {
  guestCreationFailed,
  guestNeeded,
  guestUnknown,
  tokenAdopted,
  tokenExpired,
  tokenExpiring,
  tokenMissing,
  tokenRefreshed,
  tokenRejected,
  tokenRenewalFailed,
} from './actions.ts';
import type { AuthAnswer, GatewayClient } from './gateway-client.ts';
import { emptyGuest, readGuest } from './guest.ts';
import {
  authAnswer,
  authFailure,
  cookieWith,
  runEpic,
  stateWith,
  testDependencies,
} from './testing/marbles.ts';
import { tokenFor } from './testing/tokens.ts';
import { tokenEpic } from './token.epic.ts';

const access = (authToken: string) => ({ appId: 'gateway-app', authToken });
const oldToken = tokenFor('guest-1', 1);
const newToken = tokenFor('guest-1', 900);
const freshToken = tokenFor('fresh-guest', 900);

const expired = tokenExpired({ accessToken: access(oldToken), guestId: 'guest-1' });
const renewed = tokenRefreshed({ accessToken: access(newToken), guestId: 'guest-1', guest: null });
const fresh = tokenRefreshed({ accessToken: access(freshToken), guestId: 'fresh-guest', guest: null });
const holdingOldToken = stateWith({ isTokenExpired: true, accessToken: access(oldToken) });

/** A gateway that answers only what is given; anything else fails the test. */
const gatewayWith = (given: Partial<GatewayClient>): GatewayClient => ({
  ...testDependencies(undefined as never, {}).gateway,
  ...given,
});

describe('a guest is needed', () => {
  test('creates one with one new UUID for both ids, and keeps and publishes the token of the header', () => {
    const createAndAuthenticate = jest.fn(() => of(authAnswer(freshToken)));
    const { cookie } = runEpic(tokenEpic, {
      actions: 'n',
      expected: 'f',
      values: { n: guestNeeded(), f: fresh },
      dependencies: () => ({ gateway: gatewayWith({ createAndAuthenticate }) }),
    });
    expect(createAndAuthenticate).toHaveBeenCalledTimes(1);
    expect(createAndAuthenticate).toHaveBeenCalledWith(
      { unique_id: 'fresh-guest', user_unique_id: 'fresh-guest' },
      expect.any(String),
    );
    expect(cookie.read()).toBe(freshToken);
  });

  test('passes on the guest that came with the token', () => {
    const data = {
      type: 'guests',
      id: 'fresh-guest',
      attributes: { user_unique_id: 'fresh-guest', status: 'new' },
    };
    runEpic(tokenEpic, {
      actions: 'n',
      expected: 'f',
      values: { n: guestNeeded(), f: { ...fresh, guest: readGuest(data) } },
      dependencies: () => ({
        gateway: gatewayWith({ createAndAuthenticate: () => of(authAnswer(freshToken, data)) }),
      }),
    });
  });

  test('only logs when the header is missing', () => {
    const { cookie, log } = runEpic(tokenEpic, {
      actions: 'n',
      expected: 'm',
      values: { n: guestNeeded(), m: tokenMissing() },
      dependencies: () => ({ gateway: gatewayWith({ createAndAuthenticate: () => of(authAnswer(null)) }) }),
    });
    expect(log.error).toHaveBeenCalledWith('Company token is missing in the response headers');
    expect(cookie.read()).toBeNull();
  });

  test('does not keep a token that is for nobody', () => {
    const { cookie, log } = runEpic(tokenEpic, {
      actions: 'n',
      expected: 'm',
      values: { n: guestNeeded(), m: tokenMissing() },
      dependencies: () => ({
        gateway: gatewayWith({ createAndAuthenticate: () => of(authAnswer('garbage')) }),
      }),
    });
    expect(log.error).toHaveBeenCalledWith('Error decoding token');
    expect(cookie.read()).toBeNull();
  });

  test('reports a creation that failed', () => {
    const { log } = runEpic(tokenEpic, {
      actions: 'n',
      expected: '3ms x',
      values: { n: guestNeeded(), x: guestCreationFailed({ status: 503 }) },
      dependencies: ({ cold }) => ({
        gateway: gatewayWith({
          createAndAuthenticate: () => cold('---(x|)', { x: authFailure(503, 'Down') }),
        }),
      }),
    });
    expect(log.error).toHaveBeenCalledWith('Error creating guest', 503, 'Down');
  });

  test('repeats a creation without an answer as it was, so that it is one guest; else it begins a new one', () => {
    const answers = [authFailure(0), authFailure(503), authFailure(409), authFailure(0)];
    const createAndAuthenticate = jest.fn<
      Observable<AuthAnswer>,
      Parameters<GatewayClient['createAndAuthenticate']>
    >(() => of(answers.shift() ?? authAnswer(freshToken)));
    let drawn = 0;
    runEpic(tokenEpic, {
      actions: 'nnnnn',
      expected: 'xyzxf',
      values: {
        n: guestNeeded(),
        x: guestCreationFailed({ status: 0 }),
        y: guestCreationFailed({ status: 503 }),
        z: guestCreationFailed({ status: 409 }),
        f: fresh,
      },
      dependencies: () => ({
        uuid: () => `uuid-${++drawn}`,
        gateway: gatewayWith({ createAndAuthenticate }),
      }),
    });
    const first = [{ unique_id: 'uuid-1', user_unique_id: 'uuid-1' }, 'uuid-2'];
    const second = [{ unique_id: 'uuid-3', user_unique_id: 'uuid-3' }, 'uuid-4'];
    expect(createAndAuthenticate.mock.calls).toEqual([first, first, first, second, second]);
  });

  test('does nothing but take over the guest that another tab has just created', () => {
    runEpic(tokenEpic, {
      actions: 'n',
      expected: 'a',
      values: {
        n: guestNeeded(),
        a: tokenAdopted({ accessToken: access(freshToken), guestId: 'fresh-guest' }),
      },
      dependencies: () => ({ cookie: cookieWith(freshToken) }),
    });
  });
});

describe('a token expired', () => {
  test('renews it for the guest read from it', () => {
    const authenticate = jest.fn(() => of(authAnswer(newToken)));
    const { cookie } = runEpic(tokenEpic, {
      actions: 'x',
      expected: 'r',
      values: { x: expired, r: renewed },
      state: holdingOldToken,
      dependencies: () => ({ cookie: cookieWith(oldToken), gateway: gatewayWith({ authenticate }) }),
    });
    expect(authenticate).toHaveBeenCalledWith('guest-1');
    expect(cookie.read()).toBe(newToken);
  });

  test('logs a renewal that failed for now, keeps the token, and can renew again', () => {
    const { cookie, log } = runEpic(tokenEpic, {
      actions: 'x---------x',
      expected: '---f------r',
      values: { x: expired, f: tokenRenewalFailed({ status: 0 }), r: renewed },
      state: holdingOldToken,
      dependencies: ({ cold }) => {
        const answers = [cold('---(x|)', { x: authFailure(0) }), of(authAnswer(newToken))];
        return {
          cookie: cookieWith(oldToken),
          gateway: gatewayWith({ authenticate: () => answers.shift() ?? NEVER }),
        };
      },
    });
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(log.error).toHaveBeenCalledWith('Error renewing token', 0, '');
    expect(cookie.read()).toBe(newToken);
  });

  test('only logs when the header of the renewal is missing', () => {
    const { cookie, log } = runEpic(tokenEpic, {
      actions: 'x',
      expected: 'm',
      values: { x: expired, m: tokenMissing() },
      state: holdingOldToken,
      dependencies: () => ({
        cookie: cookieWith(oldToken),
        gateway: gatewayWith({ authenticate: () => of(authAnswer(null)) }),
      }),
    });
    expect(log.error).toHaveBeenCalledWith('Company token is missing in the response headers');
    expect(cookie.read()).toBe(oldToken);
  });

  test.each([
    [401, 'token_too_old'],
    [401, 'token_invalid'],
    [403, 'guest_not_yours'],
    [404, 'guest_not_found'],
  ])('a refusal for good (%i %s) ends in one fresh guest', (status, code) => {
    const createAndAuthenticate = jest.fn(() => of(authAnswer(freshToken)));
    const authenticate = jest.fn(() => of(authFailure(status, '', code)));
    const { log } = runEpic(tokenEpic, {
      actions: 'x',
      expected: 'f',
      values: { x: expired, f: fresh },
      state: holdingOldToken,
      dependencies: () => ({
        cookie: cookieWith(oldToken),
        gateway: gatewayWith({ authenticate, createAndAuthenticate }),
      }),
    });
    expect(log.error).toHaveBeenCalledWith('Error renewing token', status, '');
    expect(authenticate).toHaveBeenCalledTimes(1);
    expect(createAndAuthenticate).toHaveBeenCalledTimes(1);
  });

  test('a refusal for good whose fresh guest fails too is not a loop, and the useless token is gone', () => {
    const { cookie } = runEpic(tokenEpic, {
      actions: 'x',
      expected: 'f',
      values: { x: expired, f: guestCreationFailed({ status: 404 }) },
      state: holdingOldToken,
      dependencies: () => ({
        cookie: cookieWith(oldToken),
        gateway: gatewayWith({
          authenticate: () => of(authFailure(404, '', 'guest_not_found')),
          createAndAuthenticate: () => of(authFailure(404)),
        }),
      }),
    });
    expect(cookie.read()).toBeNull();
  });

  test.each([400, 401, 403, 404, 408, 410, 422, 429, 500, 502, 503])(
    'a refusal without a code (%i) keeps the guest',
    (status) => {
      const { cookie } = runEpic(tokenEpic, {
        actions: 'x',
        expected: 'f',
        values: { x: expired, f: tokenRenewalFailed({ status }) },
        state: holdingOldToken,
        dependencies: () => ({
          cookie: cookieWith(oldToken),
          gateway: gatewayWith({ authenticate: () => of(authFailure(status)) }),
        }),
      });
      expect(cookie.read()).toBe(oldToken);
    },
  );

  test.each(['app_unknown', 'route_not_found'])(
    'a site that calls wrongly (%s) costs nobody the guest',
    (code) => {
      const { cookie } = runEpic(tokenEpic, {
        actions: 'x',
        expected: 'f',
        values: { x: expired, f: tokenRenewalFailed({ status: 401 }) },
        state: holdingOldToken,
        dependencies: () => ({
          cookie: cookieWith(oldToken),
          gateway: gatewayWith({
            authenticate: () => of({ success: false, status: 401, statusText: '', errors: [{ code }] }),
          }),
        }),
      });
      expect(cookie.read()).toBe(oldToken);
    },
  );

  test('a token without a readable guest id ends in one fresh guest, without asking for a renewal', () => {
    const { log } = runEpic(tokenEpic, {
      actions: 'x',
      expected: 'f',
      values: { x: tokenExpired({ accessToken: access('garbage'), guestId: '' }), f: fresh },
      state: stateWith({ isTokenExpired: true, accessToken: access('garbage') }),
      dependencies: () => ({
        cookie: cookieWith('garbage'),
        gateway: gatewayWith({ createAndAuthenticate: () => of(authAnswer(freshToken)) }),
      }),
    });
    expect(log.error).not.toHaveBeenCalled();
  });

  test('takes over what another tab has just renewed, even if a wrong clock sees it as expired', () => {
    runEpic(tokenEpic, {
      actions: '10m x',
      expected: '10m a',
      values: {
        x: expired,
        a: tokenAdopted({ accessToken: access(tokenFor('guest-1', 2)), guestId: 'guest-1' }),
      },
      state: holdingOldToken,
      dependencies: () => ({ cookie: cookieWith(tokenFor('guest-1', 2)) }),
    });
  });

  test('does not take over a token that another tab left unreadable', () => {
    runEpic(tokenEpic, {
      actions: 'x',
      expected: 'r',
      values: { x: expired, r: renewed },
      state: holdingOldToken,
      dependencies: () => ({
        cookie: cookieWith('garbage'),
        gateway: gatewayWith({ authenticate: () => of(authAnswer(newToken)) }),
      }),
    });
  });

  test('a visitor who deleted the cookie meanwhile gets a fresh guest', () => {
    runEpic(tokenEpic, {
      actions: 'x',
      expected: 'f',
      values: { x: expired, f: fresh },
      state: holdingOldToken,
      dependencies: () => ({
        gateway: gatewayWith({ createAndAuthenticate: () => of(authAnswer(freshToken)) }),
      }),
    });
  });

  test('renews once at a time: what is asked meanwhile is not asked twice', () => {
    const authenticate = jest.fn();
    runEpic(tokenEpic, {
      actions: 'x-x-e-n-j---',
      expected: '----------r-',
      values: {
        x: expired,
        e: tokenExpiring({ guestId: 'guest-1' }),
        n: guestNeeded(),
        j: tokenRejected({ guestId: 'guest-1', authToken: oldToken }),
        r: renewed,
      },
      state: holdingOldToken,
      dependencies: ({ cold }) => ({
        cookie: cookieWith(oldToken),
        gateway: gatewayWith({
          authenticate: authenticate.mockReturnValue(cold('----------(t|)', { t: authAnswer(newToken) })),
        }),
      }),
    });
    expect(authenticate).toHaveBeenCalledTimes(1);
  });

  test('reads the cookie only when it holds the lock', () => {
    const cookie = cookieWith(oldToken);
    runEpic(tokenEpic, {
      actions: 'x',
      expected: '-----a',
      values: { x: expired, a: tokenAdopted({ accessToken: access(newToken), guestId: 'guest-1' }) },
      state: holdingOldToken,
      dependencies: ({ cold }) => ({
        cookie,
        tokenLock: {
          run: (work$) =>
            cold('-----(l|)').pipe(
              tap(() => cookie.write(newToken)),
              switchMap(() => work$),
            ),
        },
      }),
    });
  });
});

describe('a service does not take the token', () => {
  const rejected = tokenRejected({ guestId: 'guest-1', authToken: newToken });
  const current = stateWith({ accessToken: access(newToken) });
  const again = tokenFor('guest-1', 1800);

  test('renews it, but never in a loop', () => {
    const authenticate = jest.fn(() => of(authAnswer(newToken)));
    runEpic(tokenEpic, {
      actions: 'j 299s j 700s j',
      expected: 'r 299s - 700s r',
      values: { j: rejected, r: renewed },
      state: current,
      dependencies: () => ({ cookie: cookieWith(newToken), gateway: gatewayWith({ authenticate }) }),
    });
    expect(authenticate).toHaveBeenCalledTimes(2);
  });

  test('takes over the newer token of another tab', () => {
    runEpic(tokenEpic, {
      actions: 'j',
      expected: 'a',
      values: { j: rejected, a: tokenAdopted({ accessToken: access(again), guestId: 'guest-1' }) },
      state: current,
      dependencies: () => ({ cookie: cookieWith(again) }),
    });
  });
});

test('a late refusal of an older token, or a late report about another guest, leads to no call', () => {
  runEpic(tokenEpic, {
    actions: 'j 10s u',
    expected: '-',
    values: {
      j: tokenRejected({ guestId: 'guest-1', authToken: oldToken }),
      u: guestUnknown({ guestId: 'guest-1' }),
    },
    state: stateWith({
      accessToken: access(newToken),
      guest: { ...emptyGuest, uniqueId: 'guest-2', userUniqueId: 'guest-2' },
    }),
    dependencies: () => ({ cookie: cookieWith(newToken) }),
  });
});

test('a guest that the gateway no longer knows is replaced once, without asking for a renewal', () => {
  const createAndAuthenticate = jest.fn(() => of(authAnswer(freshToken)));
  runEpic(tokenEpic, {
    actions: 'u 10s u',
    expected: 'f',
    values: { u: guestUnknown({ guestId: 'guest-1' }), f: fresh },
    state: stateWith({ accessToken: access(newToken) }),
    dependencies: () => ({ cookie: cookieWith(newToken), gateway: gatewayWith({ createAndAuthenticate }) }),
  });
  expect(createAndAuthenticate).toHaveBeenCalledTimes(1);
});
