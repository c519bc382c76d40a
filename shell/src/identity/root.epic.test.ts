import { EMPTY, NEVER, map, merge, of, throwError } from 'rxjs';
import { ofType } from 'redux-observable';
import { guestNeeded, sessionRequested, tokenMissing, subscriptionAttempted } from './actions.ts';
import type { IdentityEpic } from './dependencies.ts';
import { restarting } from './root.epic.ts';
import { runEpic } from './testing/marbles.ts';

const values = { s: sessionRequested(), n: guestNeeded(), f: tokenMissing(), a: subscriptionAttempted() };

test('an effect that fails is logged and restarted, while the others continue', () => {
  const failing: IdentityEpic = (action$) =>
    action$.pipe(
      ofType(sessionRequested.type),
      map(() => {
        throw new Error('Defect');
      }),
    );
  const healthy: IdentityEpic = (action$) =>
    action$.pipe(
      ofType(subscriptionAttempted.type),
      map(() => guestNeeded()),
    );
  const { log } = runEpic(restarting(failing, healthy), {
    actions: 'sa 3s a',
    expected: '-n 3s n',
    values,
  });
  expect(log.error).toHaveBeenCalledTimes(1);
  expect(log.error).toHaveBeenCalledWith(
    expect.stringContaining('Background effect failed'),
    new Error('Defect'),
  );
});

test('an effect restarts at most ten times, with increasing delays', () => {
  let starts = 0;
  const failing: IdentityEpic = () => {
    starts += 1;
    return merge(
      of(guestNeeded()),
      throwError(() => new Error('Defect')),
    );
  };
  const { log } = runEpic(restarting(failing), {
    actions: '',
    expected:
      'n 1999ms n 3999ms n 7999ms n 15999ms n 31999ms n 63999ms n 127999ms n 255999ms n 299999ms n 299999ms (n|)',
    values,
  });
  expect(starts).toBe(11);
  expect(log.error).toHaveBeenCalledTimes(11);
});

test('an effect that fails during setup is treated alike', () => {
  let starts = 0;
  const failing: IdentityEpic = () => {
    starts += 1;
    if (starts < 3) throw new Error('Defect');
    return NEVER;
  };
  runEpic(restarting(failing), { actions: '', expected: '', values });
  expect(starts).toBe(3);
});

test('an effect that ends ends no other', () => {
  const ended: IdentityEpic = () => EMPTY;
  const healthy: IdentityEpic = (action$) => action$.pipe(map(() => tokenMissing()));
  runEpic(restarting(ended, healthy), { actions: '-s', expected: '-f', values });
});
