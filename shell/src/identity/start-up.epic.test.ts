import { guestNeeded, sessionRequested, tokenExpired, tokenReused } from './actions.ts';
import { startUpEpic } from './start-up.epic.ts';
import { cookieWith, runEpic } from './testing/marbles.ts';
import { tokenFor, tokenWith } from './testing/tokens.ts';

/** Runs the epic with this cookie. The session is requested at 5 seconds. */
function startWith(authToken: string | null, kind: 'reused' | 'expired' | 'needed', guestId = 'guest-1') {
  const token = { accessToken: { appId: 'gateway-app', authToken: authToken ?? '' }, guestId };
  const answers = { reused: tokenReused(token), expired: tokenExpired(token), needed: guestNeeded() };
  return runEpic(startUpEpic, {
    actions: '5s s',
    expected: '5s e',
    values: { s: sessionRequested(), e: answers[kind] },
    dependencies: () => ({ cookie: cookieWith(authToken) }),
  });
}

test('without a token a guest is needed', () => {
  startWith(null, 'needed');
});

test('a valid token is reused and published with its guest', () => {
  startWith(tokenFor('guest-1', 60), 'reused');
});

test('a token is valid up to the second in which it expires', () => {
  startWith(tokenFor('guest-1', 5), 'reused');
  startWith(tokenFor('guest-1', 4), 'expired');
});

test('a token without exp counts as expired', () => {
  startWith(tokenFor('guest-1'), 'expired');
});

test('a token that cannot be decoded counts as expired, with an empty guest id', () => {
  const { log } = startWith('not.a-token', 'expired', '');
  expect(log.error).toHaveBeenCalledWith('Error decoding token');
  expect(log.error).toHaveBeenCalledTimes(1);
});

test('a token without a guest id is not reused', () => {
  startWith(tokenWith({ exp: 60 }), 'expired', '');
});

test("an ID that would change a request's path is not a guest ID", () => {
  startWith(tokenFor('../admin', 60), 'expired', '');
  startWith(tokenFor('..', 60), 'expired', '');
});

test('a payload that is not an object is not a token', () => {
  for (const payload of [null, 7, 'text']) {
    const { log } = startWith(tokenWith(payload), 'expired', '');
    expect(log.error).toHaveBeenCalledWith('Error decoding token');
  }
});
