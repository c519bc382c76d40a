/** @jest-environment node */
import { locks } from 'node:worker_threads';
import { VirtualTimeScheduler } from 'rxjs';
import { v4 } from 'uuid';
import type { SiteConfig } from '@site/contract';
import { createIdentity, type Identity, type IdentityEnvironment } from './create-identity.ts';
import { createMemoryStorage } from './newsletter-outbox.ts';
import { tokenFor } from './testing/tokens.ts';

const defaultConfig: SiteConfig = {
  origin: 'https://www.example.com',
  mode: 'production',
  gateway: { base: 'https://gateway.example.com/', appId: 'gateway-app' },
  forms: { base: 'https://forms.example.com/', appId: 'forms-app' },
};

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** Minimal fakes of both services: guests, tokens, identities, subscriptions. */
function createServices() {
  const services = {
    online: true,
    lifetime: 900,
    guests: new Set<string>(),
    identities: [] as unknown[],
    subscriptions: new Map<string, unknown>(),
    calls: [] as string[],
    /** Fails the next call whose line starts with the key, with this status. */
    refuse: new Map<string, number>(),
    drop: new Set<string>(),
    /** Delays calls whose line starts with the key until the promise settles. */
    held: new Map<string, Promise<unknown>>(),
    /** Guests with rejected tokens. */
    refusedGuests: new Set<string>(),
  };
  let issued = 0;
  const answer = (status: number, document: unknown, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify(document), { status, headers });
  const tokenAnswer = (id: string, status: number) =>
    answer(
      status,
      { data: { type: 'guests', id, attributes: { unique_id: id, user_unique_id: id, status: 'active' } } },
      // Each token is unique, as with a real service, where time passes.
      { 'company-token': tokenFor(id, inSeconds(services.lifetime) + (issued += 1), inSeconds(0)) },
    );

  const fetch: IdentityEnvironment['fetch'] = async (input, init) => {
    const url = new URL(input as string);
    const method = init?.method ?? 'GET';
    const path = url.pathname.slice(1);
    const headers = new Headers(init?.headers);
    const call = `${method} ${url.hostname.split('.')[0]}/${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{id}')}`;
    services.calls.push(call);
    // Responses are asynchronous, as on a real network.
    await new Promise((resolve) => setImmediate(resolve));
    await services.held.get(call);
    if (!services.online) throw new TypeError('Failed to fetch');
    const refused = services.refuse.get(call);
    if (refused !== undefined) {
      services.refuse.delete(call);
      return answer(refused, { errors: [] });
    }
    const body = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, string>;
    const id = path.split('/')[1] ?? '';
    if (path === 'captcha') return answer(200, { data: { attributes: { challenge: { parameters: {} } } } });
    if (path === 'guests') {
      services.guests.add(body['unique_id'] ?? '');
      return tokenAnswer(body['unique_id'] ?? '', 201);
    }
    if (path.startsWith('guests/')) {
      if (!headers.get('authorization')?.startsWith('Bearer ')) return answer(401, { errors: [] });
      if (services.refusedGuests.has(id))
        return answer(401, { errors: path.endsWith('/auth') ? [{ code: 'guest_not_found' }] : [] });
      if (!services.guests.has(id)) return answer(404, { errors: [{ code: 'guest_not_found' }] });
      return tokenAnswer(id, 200);
    }
    if (path.endsWith('/register')) {
      services.identities.push(body);
      return answer(201, { data: { type: 'identities', id, attributes: body } });
    }
    services.subscriptions.set(headers.get('idempotency-key') ?? '', body);
    return answer(201, { data: { type: 'subscriptions', id: '1' } });
  };
  return { ...services, services, fetch };
}

/** A browser with cookies and storage, which its tabs share. */
function createBrowser(authToken: string | null = null) {
  const cookies = new Map(authToken === null ? [] : [['authToken', authToken]]);
  const storage = createMemoryStorage();
  const lockPrefix = Math.random();

  const openTab = (fetch: IdentityEnvironment['fetch'], config: SiteConfig = defaultConfig) => {
    const document = Object.assign(new EventTarget(), {
      baseURI: 'https://www.example.com/home',
      visibilityState: 'visible',
      // No newsletter field.
      querySelectorAll: () => [],
    });
    Object.defineProperty(document, 'cookie', {
      get: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      set(text: string) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
        if (/max-age=0/.test(text)) cookies.delete(name);
        else cookies.set(name, value);
      },
    });
    const window = new EventTarget();
    const navigator = {
      onLine: true,
      locks: {
        request: ((name: string, ...rest: [LockOptions, LockGrantedCallback<unknown>]) =>
          (locks as unknown as LockManager).request(
            `${lockPrefix}-${name}`,
            ...rest,
          )) as LockManager['request'],
      },
    };
    const log = { error: jest.fn<unknown, unknown[]>(), warn: jest.fn(), debug: jest.fn() };
    // The real time of day without timers, because marble tests cover the timers.
    const scheduler = Object.assign(new VirtualTimeScheduler(), { now: () => Date.now() });
    const identity = createIdentity({
      config,
      environment: {
        document: document as unknown as Document,
        window,
        navigator,
        storage,
        fetch,
        solve: () => Promise.resolve({ counter: 1, derivedKey: '00' }),
        scheduler,
        uuid: v4,
        log,
      },
    });
    return { document, identity, log, navigator, scheduler, window };
  };
  return { cookies, storage, openTab };
}

function awaitState(
  { store }: Identity,
  wanted: (state: ReturnType<Identity['store']['getState']>) => boolean,
) {
  return new Promise<ReturnType<Identity['store']['getState']>>((resolve) => {
    const look = () => {
      if (wanted(store.getState())) resolve(store.getState());
    };
    store.subscribe(look);
    look();
  });
}
const registered = (identity: Identity) => awaitState(identity, ({ search }) => search.isIdentityLoaded);

test('the first visit creates a guest, stores its token, and registers it with the role guest', async () => {
  const { services, fetch } = createServices();
  const browser = createBrowser();
  const { identity, log } = browser.openTab(fetch);
  expect(identity.guest.get()).toEqual({ guestId: null });
  const told = jest.fn();
  identity.guest.subscribe(told);

  identity.start();
  identity.start();
  const state = await registered(identity);
  const [guestId = ''] = services.guests;

  expect(services.calls).toEqual(['POST gateway/guests', 'POST forms/identities/{id}/register']);
  expect(guestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(state.identity).toMatchObject({
    isTokenExpired: false,
    accessToken: { appId: 'gateway-app', authToken: browser.cookies.get('authToken') },
    isGuestLoaded: true,
    guest: { uniqueId: guestId, userUniqueId: guestId },
  });
  expect(services.identities).toEqual([
    { unique_id: guestId, role_name: 'guest', role_unique_id: '7c1de9f4-2a5b-4b8e-9d36-0e5f4a1c8b72' },
  ]);
  expect(identity.guest.get()).toEqual({ guestId });
  expect(identity.guest.get()).toBe(identity.guest.get());
  expect(told).toHaveBeenCalledTimes(1);
  expect(log.error).not.toHaveBeenCalled();
  expect(log.debug).not.toHaveBeenCalled();
});

test('a return reuses the token: no second guest, no renewal', async () => {
  const { services, fetch } = createServices();
  const browser = createBrowser();
  const first = browser.openTab(fetch).identity;
  first.start();
  await registered(first);
  const second = browser.openTab(fetch).identity;
  second.start();
  await registered(second);
  expect(second.guest.get()).toEqual(first.guest.get());
  expect(services.calls.slice(2)).toEqual(['GET gateway/guests/{id}', 'POST forms/identities/{id}/register']);
});

const guestId = '5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11';

test.each([
  ['expired', inSeconds(-60)],
  ['without exp', undefined],
])('a token %s is renewed for its guest', async (_kind, exp) => {
  const { services, fetch } = createServices();
  services.guests.add(guestId);
  const { identity, log } = createBrowser(tokenFor(guestId, exp)).openTab(fetch);
  identity.start();
  await registered(identity);
  expect(identity.guest.get()).toEqual({ guestId });
  expect(services.calls[0]).toBe('POST gateway/guests/{id}/auth');
  expect(services.guests.size).toBe(1);
  expect(log.error).not.toHaveBeenCalled();
});

test.each([
  ['that cannot be decoded', 'no-token'],
  ['of an unknown guest', tokenFor(guestId, inSeconds(900))],
  ['of an unknown guest, expired', tokenFor(guestId)],
])('a token %s results in one new guest', async (_kind, token) => {
  const { services, fetch } = createServices();
  const browser = createBrowser(token);
  const { identity } = browser.openTab(fetch);
  identity.start();
  await registered(identity);
  expect(services.guests.size).toBe(1);
  expect(services.calls.filter((call) => call === 'POST gateway/guests')).toHaveLength(1);
  expect(services.guests.has(identity.guest.get().guestId ?? '')).toBe(true);
  expect(browser.cookies.get('authToken')).not.toBe(token);
});

test.each([2, 5])(
  '%i tabs that start simultaneously create one guest, and later renew once',
  async (count) => {
    const { services, fetch } = createServices();
    const browser = createBrowser();
    const open = () => Array.from({ length: count }, () => browser.openTab(fetch).identity);

    const first = open();
    for (const identity of first) identity.start();
    await Promise.all(first.map(registered));
    expect(services.guests.size).toBe(1);
    expect(new Set(first.map(({ guest }) => guest.get().guestId)).size).toBe(1);

    const [guestId = ''] = services.guests;
    browser.cookies.set('authToken', tokenFor(guestId));
    const later = open();
    for (const identity of later) identity.start();
    await Promise.all(later.map(registered));
    expect(services.calls.filter((call) => call.endsWith('/auth'))).toHaveLength(1);
    expect(services.guests.size).toBe(1);
  },
);

test('late responses about a lost guest do not replace the new one', async () => {
  const { services, fetch } = createServices();
  services.refusedGuests.add(guestId);
  const hold = (call: string) => {
    let release!: () => void;
    services.held.set(call, new Promise<void>((resolve) => (release = resolve)));
    return release;
  };
  const called = async (call: string, times: number) => {
    const isCalled = () => services.calls.filter((each) => each === call).length >= times;
    for (let turns = 0; !isCalled(); turns += 1) {
      if (turns === 1_000) throw new Error(`No ${call}: ${services.calls.join()}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const load = 'GET gateway/guests/{id}';
  const releaseCreation = hold('POST gateway/guests');
  const { identity, scheduler } = createBrowser(tokenFor(guestId, inSeconds(900))).openTab(fetch);
  identity.start();
  await called('POST gateway/guests', 1);
  // The old guest's retry starts while the new guest is being created, and its response arrives afterwards.
  const releaseRetry = hold(load);
  scheduler.maxFrames = 3_000;
  scheduler.flush();
  await called(load, 2);
  releaseCreation();
  const state = await registered(identity);
  releaseRetry();
  await called('POST forms/identities/{id}/register', 1);
  for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  scheduler.maxFrames = 10_000;
  scheduler.flush();
  for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));

  expect(services.guests.size).toBe(1);
  expect(services.calls.filter((call) => call === load)).toHaveLength(2);
  expect(identity.store.getState().identity).toMatchObject({
    isTokenExpired: false,
    isGuestLoaded: true,
    guest: { uniqueId: state.identity.guest.uniqueId },
  });
});

test('a start without network recovers when it returns', async () => {
  const { services, fetch } = createServices();
  services.online = false;
  const { identity, log, navigator, window } = createBrowser().openTab(fetch);
  navigator.onLine = false;
  const failed = new Promise((resolve) => log.error.mockImplementation(() => resolve(null)));
  identity.start();
  await failed;
  await new Promise((resolve) => setImmediate(resolve));
  services.online = true;
  window.dispatchEvent(new Event('online'));
  await registered(identity);
  expect(services.guests.size).toBe(1);
  expect(log.error.mock.calls).toEqual([['Error creating guest', 0, 'Not reached (TypeError)']]);
});

test('a failed renewal is logged and retried later', async () => {
  const { services, fetch } = createServices();
  services.guests.add(guestId);
  services.refuse.set('POST gateway/guests/{id}/auth', 503);
  const { identity, log, window } = createBrowser(tokenFor(guestId)).openTab(fetch);
  const failed = new Promise((resolve) => log.error.mockImplementation(() => resolve(null)));
  identity.start();
  await failed;
  await new Promise((resolve) => setImmediate(resolve));
  expect(identity.store.getState().identity.isTokenExpired).toBe(true);
  expect(log.error.mock.calls[0]?.[0]).toBe('Error renewing token');
  window.dispatchEvent(new Event('online'));
  const state = await registered(identity);
  expect(state.identity).toMatchObject({ isTokenExpired: false, guest: { uniqueId: guestId } });
});

test('a form submitted before the guest exists carries it', async () => {
  const { services, fetch } = createServices();
  const { identity } = createBrowser().openTab(fetch);
  const result = identity.submitForm({
    source: 'referral',
    email: 'a@example.com',
    fields: { to_emails: 'b@example.com' },
    idempotencyKey: 'key-1',
  });
  identity.start();
  expect(await result).toEqual({ status: 'accepted' });
  expect(services.subscriptions.get('key-1')).toMatchObject({ visitor_unique_id: [...services.guests][0] });
});

test('a failed newsletter subscription survives a reload and is delivered once', async () => {
  const { services, fetch } = createServices();
  const browser = createBrowser();
  const { identity, log } = browser.openTab(fetch);
  identity.start();
  await registered(identity);
  services.refuse.set('POST forms/subscriptions', 503);
  expect(await identity.subscribeToNewsletter(' a@example.com ')).toBeNull();
  expect(log.error).toHaveBeenCalledWith('Error sending subscription', expect.any(String));
  expect(browser.storage.length).toBe(1);

  const reloaded = browser.openTab(fetch);
  reloaded.identity.start();
  await registered(reloaded.identity);
  reloaded.window.dispatchEvent(new Event('online'));
  await new Promise<void>((resolve) => {
    const look = () => (browser.storage.length === 0 ? resolve() : void setImmediate(look));
    look();
  });
  expect([...services.subscriptions.values()]).toEqual([
    expect.objectContaining({ email: 'a@example.com', form_fields: 'a@example.com', visitor_type: 'guest' }),
  ]);
});

test('a missing API base is a warning, and its service is not called', async () => {
  const { services, fetch } = createServices();
  const none = { base: '', appId: '' };
  const { identity, log } = createBrowser().openTab(fetch, { ...defaultConfig, gateway: none, forms: none });
  identity.start();
  expect(log.warn.mock.calls).toEqual([
    ['Missing API base configuration: gateway'],
    ['Missing API base configuration: forms'],
  ]);
  expect(await identity.subscribeToNewsletter('a@example.com')).toBeNull();
  expect(services.calls).toEqual([]);
});

test('without a forms service there is still a guest', async () => {
  const { services, fetch } = createServices();
  const forms = { base: '', appId: '' };
  const { identity, log } = createBrowser().openTab(fetch, { ...defaultConfig, forms });
  identity.start();
  await awaitState(identity, (state) => state.identity.isGuestLoaded);
  await new Promise((resolve) => setImmediate(resolve));
  expect(services.calls).toEqual(['POST gateway/guests']);
  expect(log.warn.mock.calls).toEqual([['Missing API base configuration: forms']]);
  expect(log.error).not.toHaveBeenCalled();
});

test('outside of production the state inspector logs', () => {
  const { fetch } = createServices();
  const none = { base: '', appId: '' };
  const staging: SiteConfig = { ...defaultConfig, mode: 'staging', gateway: none, forms: none };
  const { identity, log } = createBrowser().openTab(fetch, staging);
  identity.start();
  expect(log.debug).toHaveBeenCalledTimes(1);
});
