import { randomUUID } from 'node:crypto';
import type { Page, Route } from 'playwright-core';
import { GUEST_ROLE } from '@site/contract';
import {
  createGuest,
  nowInSeconds,
  readToken,
  setTokenCookie,
  signToken,
  tokenCookie,
} from './harness/guest-tokens.ts';
import { ended, lines, recordCalls, type ServiceCall } from './harness/service-calls.ts';
import { sharedSite } from './harness/shared-site.ts';
import { repository, runCli } from './harness/site.ts';
import { storedRows } from './harness/stored-rows.ts';
import { until } from './harness/until.ts';
import { open, visitors, type Visitor } from './harness/visitor.ts';

const { url: site, gateway, forms, dataDir } = sharedSite();
const home = `${site}/home`;

const CREATE = 'POST guests';
const READ = 'GET guests/{id}';
const RENEW = 'POST guests/{id}/auth';
const REGISTER = 'POST identities/{id}/register';

const failedToLoad = (status: string) =>
  `error: Failed to load resource: the server responded with a status of ${status}`;

const newVisitor = visitors();
const stored = storedRows();
let visitor: Visitor;
let calls: ServiceCall[];
beforeEach(async () => {
  visitor = await newVisitor();
  calls = recordCalls(visitor.context);
});

/** Opens a page and waits for the end of the session start: the registration of the guest. */
async function visit(url = home): Promise<void> {
  await open(visitor, url);
  await settled();
}

/** Waits until every given tab has registered its guest and has no pending calls. */
async function settled(pages: Page[] = [visitor.page]): Promise<void> {
  await until(() => {
    for (const page of pages) {
      const own = calls.filter((call) => call.page === page && call.status > 0);
      expect(lines(own)).toContain(REGISTER);
    }
  });
  await Promise.all(pages.map((page) => ended(calls, page)));
}

/** The guests created by this visitor's browser. Other tests create guests concurrently. */
function createdGuests(own: readonly ServiceCall[] = calls): Promise<string[]> {
  return stored.guestsAmong(own.flatMap(({ newGuest }) => newGuest ?? []));
}

async function guestOfCookie(): Promise<string> {
  return readToken((await tokenCookie(visitor.context))!.value).user_unique_id;
}

async function expiredToken(guest: string): Promise<string> {
  return signToken(stored, { user_unique_id: guest, iat: nowInSeconds() - 3600, exp: nowInSeconds() - 60 });
}

/** The API console on /home has the header's name, too. */
const isIdentityCode = (url: string, code: string) =>
  url.includes('/assets/shell/') && code.includes('company-token');

describe('a first visit', () => {
  test('leaves a Secure cookie, a guest and a registered identity, which a reload reuses', async () => {
    await visit();

    const cookie = await tokenCookie(visitor.context);
    expect(cookie).toMatchObject({ path: '/', secure: true, sameSite: 'Lax', domain: 'localhost' });
    const { user_unique_id: guest, exp } = readToken(cookie!.value);
    expect(exp).toBeGreaterThan(nowInSeconds());
    expect(await stored.guest(guest)).toMatchObject({ unique_id: guest, user_unique_id: guest, email: '' });
    expect(await stored.identities(guest)).toEqual([
      expect.objectContaining({ role_name: 'guest', role_unique_id: GUEST_ROLE.unique_id }),
    ]);
    expect(lines(calls)).toEqual([CREATE, REGISTER]);

    const before = calls.splice(0);
    await visit();
    expect(lines(calls)).toEqual([READ, REGISTER]);
    expect((await tokenCookie(visitor.context))!.value).toBe(cookie!.value);
    expect(await createdGuests([...before, ...calls])).toEqual([guest]);
    expect(await stored.identities(guest)).toHaveLength(1);
    expect(visitor.problems()).toEqual([]);
  });

  test('in five tabs simultaneously creates one guest', async () => {
    const tabs = await openTabs(5);
    await settled(tabs);
    expect(lines(calls).filter((line) => line === CREATE)).toHaveLength(1);
    expect(await createdGuests()).toEqual([await guestOfCookie()]);
    expect(visitor.problems()).toEqual([]);
  });

  test('fetches the identity code only after hydration', async () => {
    const scripts = new Map<string, string>();
    visitor.page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return;
      const note = async () => scripts.set(response.url(), await response.text());
      note().catch(() => undefined);
    });
    await visitor.page.addInitScript(() => {
      // One observer records hydration and scripts in their order.
      const log: string[] = [];
      Object.assign(window, { log });
      new MutationObserver((records) => {
        for (const { target, attributeName, addedNodes } of records) {
          if (attributeName && target === document.documentElement) log.push('interactive');
          for (const node of addedNodes)
            if (node instanceof HTMLScriptElement || node instanceof HTMLLinkElement)
              log.push(node instanceof HTMLLinkElement ? node.href : node.src);
        }
      }).observe(document, { childList: true, subtree: true, attributeFilter: ['data-interactive'] });
    });
    await visit();

    const code = [...scripts].filter(([url, text]) => isIdentityCode(url, text)).map(([url]) => url);
    expect(code).toHaveLength(1);
    const log = await visitor.page.evaluate(() => (window as unknown as { log: string[] }).log);
    expect(log.filter((entry) => entry === 'interactive' || entry === code[0])).toEqual([
      'interactive',
      code[0],
    ]);
    expect(visitor.problems()).toEqual([]);
  });

  test('sends token and app id to the services only', async () => {
    const sent: { url: string; method: string; headers: Record<string, string> }[] = [];
    visitor.context.on('request', (request) => {
      const note = async () =>
        sent.push({ url: request.url(), method: request.method(), headers: await request.allHeaders() });
      note().catch(() => undefined);
    });
    await visit();
    await visit();
    await visitor.page.getByRole('banner').getByRole('link', { name: 'BLOCKS', exact: true }).click();
    await visitor.page.waitForURL(`${site}/blocks`);
    await ended(calls, visitor.page);

    const token = (await tokenCookie(visitor.context))!.value;
    const toServices = sent.filter(({ url }) => url.startsWith(gateway) || url.startsWith(forms));
    expect(toServices).toHaveLength(4);
    for (const { url, method, headers } of toServices) {
      expect(headers['appid']).toBe('site-gateway');
      const isCreation = method === 'POST' && url === `${gateway}guests`;
      expect(headers['authorization']).toBe(isCreation ? undefined : `Bearer ${token}`);
      expect(headers['cookie']).toBeUndefined();
    }
    const others = sent.filter((request) => !toServices.includes(request));
    expect(others.length).toBeGreaterThan(5);
    for (const { headers } of others) {
      expect(headers).not.toHaveProperty('appid');
      expect(headers).not.toHaveProperty('authorization');
    }
    expect(visitor.problems()).toEqual([]);
  });

  test('without the header "company-token" logs exactly that', async () => {
    await visitor.context.route(`${gateway}guests`, async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      delete headers['company-token'];
      await route.fulfill({ response, headers });
    });
    await open(visitor, home);
    await until(() => expect(visitor.problems()).not.toEqual([]));
    await ended(calls, visitor.page);

    expect(visitor.problems()).toEqual(['error: Company token is missing in the response headers']);
    expect(lines(calls)).toEqual([CREATE]);
    expect(await tokenCookie(visitor.context)).toBeUndefined();
  });
});

describe('a return', () => {
  test('with an expired token renews it once and keeps the guest', async () => {
    const guest = await createGuest();
    const before = await stored.guest(guest);
    await setTokenCookie(visitor.context, await expiredToken(guest));
    await visit();

    expect(lines(calls)).toEqual([RENEW, REGISTER]);
    const { user_unique_id: same, exp } = readToken((await tokenCookie(visitor.context))!.value);
    expect(same).toBe(guest);
    expect(exp).toBeGreaterThan(nowInSeconds());
    expect(await createdGuests()).toEqual([]);
    expect((await stored.guest(guest))!.last_visiting_at).toEqual(before!.current_visiting_at);
    expect(visitor.problems()).toEqual([]);
  });

  test('shortly before the expiry renews the token during the visit', async () => {
    const guest = await createGuest();
    const token = await signToken(stored, {
      user_unique_id: guest,
      iat: nowInSeconds() - 3600,
      exp: nowInSeconds() + 55,
    });
    await setTokenCookie(visitor.context, token);
    await visit();
    await until(() => expect(lines(calls)).toContain(RENEW));
    await until(async () => expect((await tokenCookie(visitor.context))!.value).not.toBe(token));
    expect(await guestOfCookie()).toBe(guest);
    expect(lines(calls).sort()).toEqual([READ, RENEW, REGISTER].sort());
    expect(visitor.problems()).toEqual([]);
  });

  test.each([
    ['that cannot be decoded', () => Promise.resolve('no-token'), ['error: Error decoding token'], [CREATE]],
    [
      'without an expiry',
      async () => signToken(stored, { user_unique_id: await createGuest() }),
      [failedToLoad('401 (Unauthorized)'), 'error: Error renewing token 401 Unauthorized'],
      [RENEW, CREATE],
    ],
    [
      'of a deleted guest',
      async () => signToken(stored, { user_unique_id: await removedGuest(), exp: nowInSeconds() + 3600 }),
      [failedToLoad('404 (Not Found)'), 'error: Error loading guest 404 Not Found'],
      [READ, CREATE],
    ],
    [
      'that has expired, of a deleted guest',
      async () => expiredToken(await removedGuest()),
      [failedToLoad('404 (Not Found)'), 'error: Error renewing token 404 Not Found'],
      [RENEW, CREATE],
    ],
    [
      'that is signed with another key',
      async () => {
        const token = await expiredToken(randomUUID());
        return `${token.slice(0, token.lastIndexOf('.'))}.${Buffer.alloc(64, 1).toString('base64url')}`;
      },
      [failedToLoad('401 (Unauthorized)'), 'error: Error renewing token 401 Unauthorized'],
      [RENEW, CREATE],
    ],
  ])('with a token %s ends in one new guest', async (_name, pickToken, problems, expected) => {
    const token = await pickToken();
    await setTokenCookie(visitor.context, token);
    await visit();

    expect(lines(calls)).toEqual([...expected, REGISTER]);
    const guest = await guestOfCookie();
    expect(await createdGuests()).toEqual([guest]);
    expect(token).not.toContain(guest);
    expect(await stored.guest(guest)).toBeDefined();
    expect(await stored.identities(guest)).toHaveLength(1);
    expect(visitor.problems()).toEqual(problems);
  });

  async function removedGuest(): Promise<string> {
    const guest = await createGuest();
    await stored.forgetGuest(guest);
    return guest;
  }

  test('with a failed renewal shows no error, and renews when the gateway is back', async () => {
    const guest = await createGuest();
    const token = await expiredToken(guest);
    await setTokenCookie(visitor.context, token);
    await visitor.context.route(
      `${gateway}guests/*/auth`,
      (route) =>
        route.fulfill({
          status: 503,
          headers: { 'access-control-allow-origin': site, 'content-type': 'text/html' },
          body: '<h1>Bad day</h1>',
        }),
      { times: 1 },
    );
    const text = await openAndReadText();
    await until(() => expect(visitor.problems()).not.toEqual([]));
    expect((await tokenCookie(visitor.context))!.value).toBe(token);
    expect(await visitor.page.locator('body').innerText()).toBe(text);

    await settled();
    expect(lines(calls)).toEqual([RENEW, RENEW, REGISTER]);
    expect(await guestOfCookie()).toBe(guest);
    expect(visitor.problems()).toEqual([
      failedToLoad('503 (Service Unavailable)'),
      'error: Error renewing token 503 Service Unavailable',
    ]);
  });

  async function openAndReadText(): Promise<string> {
    await open(visitor, home);
    return visitor.page.locator('body').innerText();
  }

  test('with a clock two days ahead renews exactly once at each visit', async () => {
    await visitor.page.clock.setFixedTime(Date.now() + 2 * 24 * 60 * 60 * 1000);
    await visit();
    expect(lines(calls)).toEqual([CREATE, REGISTER]);
    const guest = await guestOfCookie();
    calls.length = 0;
    await visit();
    expect(lines(calls)).toEqual([RENEW, REGISTER]);
    expect(await guestOfCookie()).toBe(guest);
    expect(visitor.problems()).toEqual([]);
  });

  test('with a clock an hour slow renews the token once, although only the gateway knows that it is expired', async () => {
    const guest = await createGuest();
    await setTokenCookie(visitor.context, await expiredToken(guest));
    await visitor.page.clock.setFixedTime(Date.now() - 60 * 60 * 1000);
    await visit();

    expect(lines(calls)).toEqual([READ, RENEW, REGISTER]);
    expect(await guestOfCookie()).toBe(guest);
    expect(await createdGuests()).toEqual([]);
    expect(visitor.problems()).toEqual([
      failedToLoad('401 (Unauthorized)'),
      'error: Error loading guest 401 Unauthorized',
    ]);
  });
});

describe('tabs', () => {
  test.each([2, 5])('%d that need a new token simultaneously renew it once', async (count) => {
    const guest = await createGuest();
    await setTokenCookie(visitor.context, await expiredToken(guest));
    const held = await holdRenewals();
    const tabs = await openTabs(count);
    await until(async () => expect(await waitingForLock(tabs[0]!)).toBe(count - 1));
    await until(() => expect(held).toHaveLength(1));
    await held[0]!.continue();
    await settled(tabs);

    expect(lines(calls).filter((line) => line === RENEW)).toHaveLength(1);
    expect(lines(calls)).not.toContain(CREATE);
    expect(await guestOfCookie()).toBe(guest);
    expect(visitor.problems()).toEqual([]);
  });

  test.each(['closed', 'crashed'])('one that is %s during a renewal leaves it to the next', async (end) => {
    const guest = await createGuest();
    await setTokenCookie(visitor.context, await expiredToken(guest));
    const held = await holdRenewals();
    await open(visitor, home);
    await until(() => expect(held).toHaveLength(1));
    const [other] = await openTabs(1);
    await until(async () => expect(await waitingForLock(other!)).toBe(1));

    if (end === 'closed') await visitor.page.close();
    else {
      const devTools = await visitor.context.newCDPSession(visitor.page);
      const crash = visitor.page.waitForEvent('crash');
      // Never resolves, because the tab crashes.
      devTools.send('Page.crash').catch(() => undefined);
      await crash;
    }
    await until(() => expect(held).toHaveLength(2));
    await held[1]!.continue();
    await settled([other!]);

    const renewals = calls.filter((call) => lines([call])[0] === RENEW);
    expect(renewals.map(({ page, status }) => [page === other, status])).toEqual([
      [false, 0],
      [true, 200],
    ]);
    expect(lines(calls)).not.toContain(CREATE);
    expect(await guestOfCookie()).toBe(guest);
  });

  /** Holds renewals until the test releases them. */
  async function holdRenewals(): Promise<Route[]> {
    const held: Route[] = [];
    await visitor.context.route(`${gateway}guests/*/auth`, (route) => void held.push(route));
    return held;
  }

  const waitingForLock = (page: Page) =>
    page.evaluate(async () => {
      const { pending = [] } = await navigator.locks.query();
      return pending.filter(({ name }) => name === 'identity-token').length;
    });
});

describe('a start without network', () => {
  test('recovers as soon as the network returns', async () => {
    // The browser logs each request without a network, including prefetches.
    const lost = 'error: Failed to load resource: net::ERR_INTERNET_DISCONNECTED';
    const told = () => visitor.problems().filter((line) => line !== lost);
    await visitor.context.route(
      `${gateway}guests`,
      async (route) => {
        await visitor.context.setOffline(true);
        await route.abort('internetdisconnected');
      },
      { times: 1 },
    );
    await open(visitor, home);
    await until(() => expect(told()).toHaveLength(1));
    expect(await tokenCookie(visitor.context)).toBeUndefined();

    await visitor.context.setOffline(false);
    await settled();
    expect(lines(calls)).toEqual([CREATE, CREATE, REGISTER]);
    expect(await createdGuests()).toEqual([await guestOfCookie()]);
    expect(told()).toEqual(['error: Error creating guest 0 Not reached (TypeError)']);
  });

  test('without its identity code recovers when the network returns', async () => {
    const { context } = visitor;
    const code = await identityCode();
    await context.route(
      code,
      async (route) => {
        await context.setOffline(true);
        await route.abort('internetdisconnected');
      },
      { times: 1 },
    );
    // Later parts of the page cannot load before the network returns, either.
    await visitor.page.goto(home);
    await until(() => expect(visitor.problems().join()).toContain('The guest identity could not be loaded.'));
    expect(calls).toEqual([]);

    await context.setOffline(false);
    await settled();
    expect(lines(calls)).toEqual([CREATE, REGISTER]);
  });

  /** The URL of the script with the identity code, found by another visitor. */
  async function identityCode(): Promise<string> {
    const other = await newVisitor();
    const found = other.page.waitForResponse(
      async (response) =>
        response.request().resourceType() === 'script' &&
        isIdentityCode(response.url(), await response.text()),
    );
    await other.page.goto(home);
    const url = (await found).url();
    await other.close();
    return url;
  }

  test('a creation with a lost response is repeated unchanged, so that it remains one guest', async () => {
    await visitor.context.route(
      `${gateway}guests`,
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await visit();
    expect(lines(calls)).toEqual([CREATE, CREATE, REGISTER]);
    expect(await createdGuests()).toEqual([await guestOfCookie()]);
    expect(visitor.problems()).toEqual([
      'error: Failed to load resource: net::ERR_CONNECTION_RESET',
      'error: Error creating guest 0 Not reached (TypeError)',
    ]);
  });
});

test('an operator exports and erases a visitor with one command each, and the next visit starts from scratch', async () => {
  await visit();
  const guest = await guestOfCookie();
  const visitorCommand = (name: string) =>
    runCli(repository, ['visitor', name, guest, '--json'], { ...process.env, DATA_DIR: dataDir });

  const exported = await visitorCommand('export');
  expect([exported.code, exported.stderr]).toEqual([0, '']);
  expect(JSON.parse(exported.stdout)).toMatchObject({
    visitor: guest,
    gateway: { guests: [{ unique_id: guest }] },
    forms: { identities: [{ unique_id: guest }] },
  });
  expect((await visitorCommand('erase')).code).toBe(0);
  expect(await stored.guest(guest)).toBeUndefined();
  expect(await stored.identities(guest)).toEqual([]);

  calls.length = 0;
  await visit();
  expect(lines(calls)).toEqual([READ, CREATE, REGISTER]);
  expect(await guestOfCookie()).not.toBe(guest);
  expect(await stored.guest(guest)).toBeUndefined();
  expect(await stored.identities(guest)).toEqual([]);
});

async function openTabs(count: number): Promise<Page[]> {
  const pages = await Promise.all(Array.from({ length: count }, () => visitor.context.newPage()));
  await Promise.all(pages.map((page) => page.goto(home)));
  return pages;
}
