import {
  guestLoaded,
  guestRequested,
  guestUnknown,
  loadGuestFailed,
  sessionRequested,
  tokenAdopted,
  tokenRefreshed,
  tokenRejected,
  tokenReused,
} from './actions.ts';
import { guestEpic, guestRequestEpic } from './guest.epic.ts';
import { emptyGuest } from './guest.ts';
import type { RunHelpers } from 'rxjs/testing';
import type { ApiProblem } from './request.ts';
import { runEpic, stateWith, testDependencies } from './testing/marbles.ts';

const token = { accessToken: { appId: 'gateway-app', authToken: 'token' }, guestId: 'guest-1' };
const guest = { ...emptyGuest, id: 'guest-1', uniqueId: 'guest-1', userUniqueId: 'guest-1' };
const requested = guestRequested({ guestId: 'guest-1' });

describe('a published token', () => {
  test('requests its guest, from any source', () => {
    runEpic(guestRequestEpic, {
      actions: '-u-a-f',
      expected: '-r-r-r',
      values: {
        u: tokenReused(token),
        a: tokenAdopted(token),
        f: tokenRefreshed({ ...token, guest: null }),
        r: requested,
      },
    });
  });

  test('requests nothing if the guest came with it', () => {
    runEpic(guestRequestEpic, {
      actions: 'f',
      expected: 'l',
      values: { f: tokenRefreshed({ ...token, guest }), l: guestLoaded({ guest }) },
    });
  });

  test('requests nothing if the guest is loaded', () => {
    runEpic(guestRequestEpic, {
      actions: 'uf',
      expected: '--',
      values: { u: tokenReused(token), f: tokenRefreshed({ ...token, guest: null }) },
      state: stateWith({ isGuestLoaded: true, guest }),
    });
  });
});

describe('a requested guest', () => {
  const gatewayAnswering = (status: number, loaded = emptyGuest, errors: ApiProblem[] = []) => ({
    actions: 'r',
    values: {
      r: requested,
      l: guestLoaded({ guest }),
      f: loadGuestFailed({ guestId: 'guest-1', status }),
      u: guestUnknown({ guestId: 'guest-1' }),
      j: tokenRejected({ guestId: 'guest-1', authToken: '' }),
    },
    dependencies: ({ cold }: RunHelpers) => ({
      gateway: {
        ...testDependencies(undefined as never, {}).gateway,
        getGuest: () => cold('--(g|)', { g: { guest: loaded, status, errors } }),
      },
    }),
  });

  test('is loaded', () => {
    runEpic(guestEpic, { ...gatewayAnswering(200, guest), expected: '--l' });
  });

  test.each([0, 429, 500])('is reported as failed on status %i', (status) => {
    runEpic(guestEpic, { ...gatewayAnswering(status), expected: '--f' });
  });

  test.each([
    [403, 'guest_not_yours'],
    [404, 'guest_not_found'],
  ])('is unknown on status %i with the code %s', (status, code) => {
    runEpic(guestEpic, { ...gatewayAnswering(status, emptyGuest, [{ code }]), expected: '--u' });
  });

  test.each([403, 404])("is only reported as failed on a proxy's %i, which has no code", (status) => {
    runEpic(guestEpic, { ...gatewayAnswering(status), expected: '--f' });
  });

  test('is only reported as failed if the URL is wrong', () => {
    const answer = gatewayAnswering(404, emptyGuest, [{ code: 'route_not_found' }]);
    runEpic(guestEpic, { ...answer, expected: '--f' });
  });

  test('with a rejected token fails and triggers a renewal', () => {
    runEpic(guestEpic, { ...gatewayAnswering(401), expected: '--(fj)' });
  });

  test('replaces the previous request', () => {
    runEpic(guestEpic, { ...gatewayAnswering(200, guest), actions: 'rr', expected: '---l' });
  });

  test('is not loaded by other actions', () => {
    runEpic(guestEpic, { actions: 's', expected: '-', values: { s: sessionRequested() } });
  });
});
