import {
  guestCreationFailed,
  guestLoaded,
  guestRequested,
  identityLoaded,
  loadGuestFailed,
  registrationFailed,
  registrationRequested,
  sessionRequested,
  tokenMissing,
  tokenRefreshed,
  tokenRenewalFailed,
  tokenReused,
} from './actions.ts';
import { emptyGuest } from './guest.ts';
import { recoveryEpic } from './recovery.epic.ts';
import { retryDelay } from './retry-delay.ts';
import { runEpic } from './testing/marbles.ts';

const token = { accessToken: { appId: 'app', authToken: 'token' }, guestId: 'guest-1' };
const values = {
  f: tokenRenewalFailed({ status: 503 }),
  c: guestCreationFailed({ status: 0 }),
  p: guestCreationFailed({ status: 403 }),
  s: sessionRequested(),
  u: tokenReused(token),
  r: tokenRefreshed({ ...token, guest: null }),
  m: tokenMissing(),
  g: loadGuestFailed({ guestId: 'guest-1', status: 500 }),
  q: guestRequested({ guestId: 'guest-1' }),
  l: guestLoaded({ guest: emptyGuest }),
  i: registrationFailed({ guestId: 'guest-1', status: 0 }),
  j: registrationFailed({ guestId: 'guest-1', status: 401 }),
  n: registrationRequested({ guestId: 'guest-1' }),
  o: identityLoaded({ userIdentity: null as never }),
};

test('a failed session restarts with increasing delays', () => {
  runEpic(recoveryEpic, { actions: 'f 9999ms c 9999ms f', expected: '2s s 11999ms s 13999ms s', values });
});

test('a success resets the delays, a reused token does not', () => {
  runEpic(recoveryEpic, { actions: 'f 9999ms r 9999ms f', expected: '2s s 19999ms s', values });
  runEpic(recoveryEpic, { actions: 'f 9999ms u 9999ms f', expected: '2s s 21999ms s', values });
});

test('a call that succeeded since, or only lacks its header, is not retried', () => {
  runEpic(recoveryEpic, { actions: 'f 500ms r', expected: '-', values });
  runEpic(recoveryEpic, { actions: 'f 500ms m', expected: '-', values });
});

test('a permanent failure is not retried', () => {
  runEpic(recoveryEpic, { actions: 'p', expected: '-', values });
});

test('an offline start waits for the network instead of retrying', () => {
  runEpic(recoveryEpic, {
    actions: 'c',
    expected: '90s s',
    values,
    dependencies: ({ hot }) => ({ isOnline: () => false, online$: hot('90s o') }),
  });
});

test('the return of the network ends the wait', () => {
  runEpic(recoveryEpic, {
    actions: 'c',
    expected: '700ms s',
    values,
    dependencies: ({ hot }) => ({ online$: hot('700ms o') }),
  });
});

test('after ten retries it waits for the network or the visitor to return', () => {
  const failures = 'f 20m '.repeat(10);
  const retries = Array.from({ length: 10 }, (_, index) => index + 1)
    .map((attempt) => `${retryDelay(attempt)}ms s ${20 * 60_000 - retryDelay(attempt)}ms`)
    .join(' ');
  runEpic(recoveryEpic, {
    actions: `${failures} f`,
    // Ten retries, and a last one when the visitor returns.
    expected: `${retries} 60m s`,
    values,
    dependencies: ({ hot }) => ({ resume$: hot(`${'- 20m '.repeat(10)} 60m v`) }),
  });
});

test('a guest that failed to load is requested again, until it is loaded', () => {
  runEpic(recoveryEpic, { actions: 'g 3s g 500ms l', expected: '2s q', values });
});

test('a failed registration is retried, including after a token renewal', () => {
  runEpic(recoveryEpic, { actions: 'i 2999ms j 500ms o 9s j', expected: '2s n 12501ms n', values });
});
