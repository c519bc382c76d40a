import { BehaviorSubject, EMPTY } from 'rxjs';
import { StateObservable } from 'redux-observable';
import {
  identityLoaded,
  registrationFailed,
  registrationRequested,
  sessionRequested,
  tokenRejected,
} from './actions.ts';
import { emptyGuest } from './guest.ts';
import { registrationEpic, registrationRequestEpic } from './registration.epic.ts';
import type { RunHelpers } from 'rxjs/testing';
import { runEpic, stateWith, testDependencies } from './testing/marbles.ts';

const guest = (uniqueId: string) => ({ ...emptyGuest, id: uniqueId, uniqueId, userUniqueId: uniqueId });
const requested = registrationRequested({ guestId: 'guest-1' });

test('each guest in the store is registered once, when it is loaded', () => {
  const states$ = new BehaviorSubject(stateWith());
  const answers: unknown[] = [];
  registrationRequestEpic(
    EMPTY,
    new StateObservable(states$, stateWith()),
    testDependencies(undefined as never, {}),
  ).subscribe((action) => answers.push(action));

  states$.next(stateWith({ guest: guest('guest-1') }));
  expect(answers).toEqual([]);
  states$.next(stateWith({ isGuestLoaded: true, guest: guest('guest-1') }));
  states$.next(stateWith({ isGuestLoaded: true, guest: { ...guest('guest-1'), name: 'New' } }));
  expect(answers).toEqual([requested]);
  states$.next(stateWith({ isGuestLoaded: true, guest: guest('guest-2') }));
  expect(answers).toEqual([requested, registrationRequested({ guestId: 'guest-2' })]);
});

describe('a requested registration', () => {
  const userIdentity = {
    uniqueId: 'guest-1',
    email: '',
    name: '',
    username: '',
    registeredAt: '',
    roleName: 'guest',
    roleUniqueId: 'role',
  };

  const formsAnswering = (status: number, identity: typeof userIdentity | null) => ({
    actions: 'r',
    values: {
      r: requested,
      l: identityLoaded({ userIdentity }),
      f: registrationFailed({ guestId: 'guest-1', status }),
      j: tokenRejected({ guestId: 'guest-1', authToken: '' }),
    },
    dependencies: ({ cold }: RunHelpers) => ({
      forms: {
        ...testDependencies(undefined as never, {}).forms,
        registerGuest: () => cold('--(g|)', { g: { userIdentity: identity, status, statusText: 'Text' } }),
      },
    }),
  });

  test('stores the identity', () => {
    runEpic(registrationEpic, { ...formsAnswering(201, userIdentity), expected: '--l' });
  });

  test('is logged when it fails', () => {
    const { log } = runEpic(registrationEpic, { ...formsAnswering(500, null), expected: '--f' });
    expect(log.error).toHaveBeenCalledWith('Error registering guest', 500, 'Text');
  });

  test('with a rejected token triggers a renewal', () => {
    runEpic(registrationEpic, { ...formsAnswering(401, null), expected: '--(fj)' });
  });

  test('is not made by other actions', () => {
    runEpic(registrationEpic, { actions: 's', expected: '-', values: { s: sessionRequested() } });
  });
});
