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

/** A gateway with these calls only. Any other call fails the test. */
const gatewayWith = (given: Partial<GatewayClient>): GatewayClient => ({
  ...testDependencies(undefined as never, {}).gateway,
  ...given,
});

describe('a guest is needed', () => {
  test("creates one with one new UUID for both IDs, and stores and publishes the header's token", () => {
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

  test('does not store a token without a guest', () => {
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

  test('reports a failed creation', () => {
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

  test('retries a creation without a response unchanged; otherwise it starts a new one', () => {
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

  test('only adopts the guest that another tab has just created', () => {
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

  test('logs a temporary renewal failure, keeps the token, and can renew again', () => {
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
  ])('a permanent rejection (%i %s) results in one new guest', (status, code) => {
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

  test('a permanent rejection whose new guest fails too does not loop, and removes the token', () => {
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
    'a rejection without a code (%i) keeps the guest',
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

  test.each(['app_unknown', 'route_not_found'])('a misconfigured site (%s) keeps the guest', (code) => {
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
  });

  test('a token without a readable guest ID results in one new guest, without a renewal', () => {
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

  test("adopts another tab's renewed token, even if it is expired by a wrong clock", () => {
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

  test("does not adopt another tab's unreadable token", () => {
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

  test('a visitor who has deleted the cookie gets a new guest', () => {
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

  test('renews once at a time: ignores requests during a renewal', () => {
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

  test('reads the cookie only under the lock', () => {
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

describe('a service rejects the token', () => {
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

  test("adopts another tab's newer token", () => {
    runEpic(tokenEpic, {
      actions: 'j',
      expected: 'a',
      values: { j: rejected, a: tokenAdopted({ accessToken: access(again), guestId: 'guest-1' }) },
      state: current,
      dependencies: () => ({ cookie: cookieWith(again) }),
    });
  });
});

test('a late rejection of an older token, or a late report about another guest, triggers no call', () => {
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

test('a guest that the gateway no longer knows is replaced once, without a renewal', () => {
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
