import * as actions from './actions.ts';
import { emptyGuest } from './guest.ts';
import { rootReducer } from './root-reducer.ts';

const token = (authToken: string, guestId = 'guest-1') => ({
  accessToken: { appId: 'app', authToken },
  guestId,
});
const guest = { ...emptyGuest, id: 'guest-1', uniqueId: 'guest-1', userUniqueId: 'guest-1', name: 'A' };
const userIdentity = {
  uniqueId: 'guest-1',
  email: '',
  name: '',
  username: '',
  registeredAt: '',
  roleName: 'guest',
  roleUniqueId: 'role',
};

/** The state after these actions, from the initial state. */
const after = (...done: actions.IdentityAction[]) =>
  [actions.sessionRequested(), ...done].reduce(rootReducer, undefined as never);

test('the initial state has exactly the specified shape', () => {
  expect(after()).toEqual({
    identity: {
      isTokenExpired: false,
      accessToken: { appId: '', authToken: '' },
      isGuestLoaded: false,
      guest: {
        uniqueId: '',
        email: '',
        id: '',
        name: '',
        username: '',
        status: '',
        currentVisitingAt: null,
        currentVisitingIp: null,
        last_visiting_at: null,
        last_visiting_ip: null,
        userUniqueId: '',
        registeredAt: null,
      },
    },
    search: { isIdentityLoaded: false, userIdentity: null },
  });
});

test('an expired or rejected token sets the expiry flag, and a new one resets it', () => {
  const expired = actions.tokenExpired(token('old'));
  expect(after(expired).identity).toMatchObject({ isTokenExpired: true, accessToken: { authToken: 'old' } });
  for (const renewed of [
    actions.tokenRefreshed({ ...token('new'), guest: null }),
    actions.tokenAdopted(token('new')),
    actions.tokenReused(token('new')),
  ]) {
    expect(after(expired, renewed).identity).toMatchObject({
      isTokenExpired: false,
      accessToken: { appId: 'app', authToken: 'new' },
    });
  }
  expect(
    after(actions.tokenReused(token('t')), actions.tokenRejected({ guestId: 'guest-1', authToken: 't' }))
      .identity,
  ).toMatchObject({ isTokenExpired: true, accessToken: { authToken: 't' } });
});

test('a token that is about to expire, and a failed renewal, change nothing', () => {
  const before = after(actions.tokenReused(token('t')));
  for (const action of [
    actions.tokenExpiring({ guestId: 'guest-1' }),
    actions.tokenRenewalFailed({ status: 503 }),
    actions.tokenMissing(),
  ]) {
    expect(rootReducer(before, action)).toBe(before);
  }
});

test('a published token publishes its guest id; the guest counts as loaded only when it is', () => {
  const published = after(actions.tokenReused(token('t')));
  expect(published.identity).toMatchObject({ isGuestLoaded: false, guest: { uniqueId: 'guest-1' } });
  const loaded = rootReducer(published, actions.guestLoaded({ guest }));
  expect(loaded.identity).toMatchObject({ isGuestLoaded: true, guest });
});

test("a renewal keeps the loaded guest and its identity; another guest's token replaces both", () => {
  const loaded = after(
    actions.tokenReused(token('t')),
    actions.guestLoaded({ guest }),
    actions.identityLoaded({ userIdentity }),
  );
  expect(loaded.search).toEqual({ isIdentityLoaded: true, userIdentity });
  const renewed = rootReducer(loaded, actions.tokenRefreshed({ ...token('new'), guest: null }));
  expect(renewed).toMatchObject({ identity: { isGuestLoaded: true, guest }, search: loaded.search });
  const replaced = rootReducer(loaded, actions.tokenRefreshed({ ...token('new', 'guest-2'), guest: null }));
  expect(replaced).toMatchObject({
    identity: { isGuestLoaded: false, guest: { uniqueId: 'guest-2', name: '' } },
    search: { isIdentityLoaded: false, userIdentity: null },
  });
});

test('a guest that failed to load stays unchanged', () => {
  const published = after(actions.tokenReused(token('t')));
  expect(rootReducer(published, actions.loadGuestFailed({ guestId: 'guest-1', status: 500 }))).toBe(
    published,
  );
});

test('a guest that the gateway no longer knows is removed completely', () => {
  const known = after(
    actions.tokenReused(token('t')),
    actions.guestLoaded({ guest }),
    actions.identityLoaded({ userIdentity }),
    actions.guestUnknown({ guestId: 'guest-1' }),
  );
  expect(known).toMatchObject({
    identity: { isGuestLoaded: false, guest: emptyGuest },
    search: { isIdentityLoaded: false, userIdentity: null },
  });
});

test('a late report about another guest, or the rejection of an older token, changes nothing', () => {
  const known = after(
    actions.tokenReused(token('t')),
    actions.guestLoaded({ guest }),
    actions.identityLoaded({ userIdentity }),
  );
  for (const late of [
    actions.guestUnknown({ guestId: 'guest-0' }),
    actions.tokenRejected({ guestId: 'guest-1', authToken: 'older' }),
  ])
    expect(rootReducer(known, late)).toBe(known);
});
