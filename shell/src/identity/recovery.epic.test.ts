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

test('a session that failed begins again, later each time', () => {
  runEpic(recoveryEpic, { actions: 'f 9999ms c 9999ms f', expected: '2s s 11999ms s 13999ms s', values });
});

test('a success lets the delays start again, a token that is merely reused does not', () => {
  runEpic(recoveryEpic, { actions: 'f 9999ms r 9999ms f', expected: '2s s 19999ms s', values });
  runEpic(recoveryEpic, { actions: 'f 9999ms u 9999ms f', expected: '2s s 21999ms s', values });
});

test('what succeeded meanwhile, or only lacks its header, is not tried again', () => {
  runEpic(recoveryEpic, { actions: 'f 500ms r', expected: '-', values });
  runEpic(recoveryEpic, { actions: 'f 500ms m', expected: '-', values });
});

test('what is refused for good is not tried again', () => {
  runEpic(recoveryEpic, { actions: 'p', expected: '-', values });
});

test('a start without network waits for it instead of trying', () => {
  runEpic(recoveryEpic, {
    actions: 'c',
    expected: '90s s',
    values,
    dependencies: ({ hot }) => ({ isOnline: () => false, online$: hot('90s o') }),
  });
});

test('the network that returns ends the wait', () => {
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
    // Ten retries, and a last one at the visitor's return.
    expected: `${retries} 60m s`,
    values,
    dependencies: ({ hot }) => ({ resume$: hot(`${'- 20m '.repeat(10)} 60m v`) }),
  });
});

test('a guest that could not be loaded is requested again, until it is loaded', () => {
  runEpic(recoveryEpic, { actions: 'g 3s g 500ms l', expected: '2s q', values });
});

test('a registration that failed is made again, also after its token was renewed', () => {
  runEpic(recoveryEpic, { actions: 'i 2999ms j 500ms o 9s j', expected: '2s n 12501ms n', values });
});
