import { sessionRequested, tokenAdopted, tokenExpiring, tokenRefreshed, tokenReused } from './actions.ts';
import { renewalDelay, renewalTimerEpic } from './renewal-timer.epic.ts';
import { runEpic } from './testing/marbles.ts';
import { tokenFor } from './testing/tokens.ts';

const payload = (exp?: number, iat?: number) => ({
  accessToken: { appId: 'gateway-app', authToken: tokenFor('guest-1', exp, iat) },
  guestId: 'guest-1',
});
const reused = (exp?: number, iat?: number) => tokenReused(payload(exp, iat));
const refreshed = (exp?: number, iat?: number) => tokenRefreshed({ ...payload(exp, iat), guest: null });
const adopted = (exp?: number, iat?: number) => tokenAdopted(payload(exp, iat));
const expiring = tokenExpiring({ guestId: 'guest-1' });

test('a token is renewed a minute before it expires', () => {
  runEpic(renewalTimerEpic, { actions: 't', expected: '14m e', values: { t: reused(900), e: expiring } });
});

test('a newer token replaces the timer of the previous one', () => {
  runEpic(renewalTimerEpic, {
    actions: 't 9m a',
    expected: '24m e',
    values: { t: reused(900), a: adopted(25 * 60), e: expiring },
  });
});

test('a token without exp, and other actions, start no timer', () => {
  runEpic(renewalTimerEpic, {
    actions: 'st',
    expected: '--',
    values: { s: sessionRequested(), t: refreshed() },
  });
});

test('a tab that slept past the renewal time renews on return, and not before', () => {
  runEpic(renewalTimerEpic, {
    actions: 't',
    expected: '20m e',
    values: { t: reused(900), e: expiring },
    dependencies: ({ hot }) => {
      // A sleeping computer: time passes, the timer stands still.
      let asleep = true;
      const frozen = { now: () => (asleep ? 0 : 20 * 60_000), schedule: () => hot('').subscribe() };
      const resume$ = hot('5m r 14m 59999ms w', { r: 'early', w: 'late' });
      resume$.subscribe((when) => {
        asleep = when !== 'late';
      });
      return { resume$, scheduler: frozen };
    },
  });
});

test('a return after the due renewal requests no second one', () => {
  runEpic(renewalTimerEpic, {
    actions: 't',
    expected: '14m e',
    values: { t: reused(900), e: expiring },
    dependencies: ({ hot }) => ({ resume$: hot('5m r 15m r') }),
  });
});

describe('the delay until a renewal', () => {
  const minute = 60_000;
  const now = 1_000_000_000;
  const at = (minutes: number) => (now + minutes * minute) / 1000;

  test('is zero for a stored token that is about to expire', () => {
    expect(renewalDelay(tokenReused.type, { guestId: '', exp: at(0.5), iat: null }, now)).toBe(0);
  });

  test('of a new token follows its lifetime, even with a wrong clock', () => {
    for (const skew of [-600, -15, 0, 15, 600]) {
      const contents = { guestId: '', exp: at(skew + 15), iat: at(skew) };
      expect(renewalDelay(tokenRefreshed.type, contents, now)).toBe(14 * minute);
    }
  });

  test('of a token renewed by another tab follows the clock, unless the clock is implausible', () => {
    expect(renewalDelay(tokenAdopted.type, { guestId: '', exp: at(10), iat: at(-5) }, now)).toBe(9 * minute);
    expect(renewalDelay(tokenAdopted.type, { guestId: '', exp: at(-30), iat: at(-45) }, now)).toBe(
      14 * minute,
    );
  });

  test('is at least half a minute for a new token', () => {
    for (const type of [tokenRefreshed.type, tokenAdopted.type]) {
      expect(renewalDelay(type, { guestId: '', exp: at(-30), iat: null }, now)).toBe(minute / 2);
      expect(renewalDelay(type, { guestId: '', exp: at(0) + 5, iat: at(0) }, now)).toBe(minute / 2);
    }
  });

  test('never exceeds the maximum of a browser timer', () => {
    for (const type of [tokenReused.type, tokenRefreshed.type, tokenAdopted.type]) {
      expect(renewalDelay(type, { guestId: '', exp: at(1e6), iat: null }, now)).toBeLessThan(2 ** 31);
    }
  });
});
