import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { TokenMade } from '@site/contract';
import { SessionSchema } from '@site/contract/registry-calls/session.calls';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createRegistryApp, type RegistryOptions } from '../create-registry-app.ts';
import { tablesInOrder } from '../kernel/table-dump.ts';
import { errorCode, openBrowser, type TestBrowser } from '../testing/browser.ts';
import { createHarness, registryTables, testAuditKey } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';

const registry = forEachTest(createHarness);

let browser: TestBrowser;
beforeEach(() => {
  browser = openBrowser(registry.app);
});

const hoursLater = (hours: number) => {
  registry.clock.now = new Date(registry.clock.now.getTime() + hours * 60 * 60_000);
};
const secondsLater = (seconds: number) => hoursLater(seconds / 3600);
const who = async (from = browser) => v.parse(SessionSchema, (await from.ask('GET', '/v1/session')).json());
const isIn = async (from = browser) => (await from.ask('GET', '/v1/session')).statusCode === 200;
const freeze = (headers = {}) =>
  browser.ask('POST', '/v1/channels/production/freezes', { body: { reason: 'a test' }, headers });
const makeToken = async (more: object = {}) => {
  const { body } = await registry.send<TokenMade>('POST', '/v1/tokens', {
    body: { name: 'mia', scopes: ['read', 'activate:mfe-blocks'], ...more },
  });
  return { id: body.id, token: body.token ?? '' };
};
const makeLink = async (as: 'ops' | 'activator' = 'ops') => {
  const { status, body } = await registry.send<{ path: string }>('POST', '/v1/console-links', {
    as,
    body: {},
  });
  expect(status).toBe(201);
  const [path, code = ''] = body.path.split('#code=');
  expect(path).toBe('/console');
  return code;
};
/** Another registry process over the same database. */
const another = (more: Pick<RegistryOptions, 'trustProxy'> = {}) =>
  createRegistryApp({
    ...more,
    database: registry.database,
    store: registry.store,
    auditKey: testAuditKey,
    composer: registry.composer,
    now: () => registry.clock.now,
  });

describe('signing in', () => {
  test('with a token sets a cookie that is HttpOnly, SameSite=Strict and host-only', async () => {
    const response = await browser.signIn({ token: registry.tokens.activator });
    expect(response.statusCode).toBe(200);
    expect(response.headers['set-cookie']).toMatch(
      /^__Host-Http-console=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toMatchObject({
      name: 'ben',
      scopes: ['activate:mfe-blocks'],
      apps: { publish: [], activate: ['mfe-blocks'] },
      session: true,
      expiresAt: '2026-01-02T00:00:00.000Z',
    });
    expect(await who()).toEqual(response.json());
  });

  test('as ops has access to every app', async () => {
    await browser.signIn({ token: registry.tokens.ops });
    expect((await who()).apps).toEqual({ publish: null, activate: null });
  });

  test("grants exactly the token's permissions, and the audit log has the same name", async () => {
    await browser.signIn({ token: registry.tokens.read });
    expect(errorCode(await freeze())).toBe('scope_missing');
    await browser.signIn({ token: registry.tokens.ops });
    expect((await freeze()).statusCode).toBe(200);
    const [entry] = await registryTables(registry)
      .selectFrom('audit_events')
      .select(['by', 'action'])
      .where('action', 'like', 'channel.%')
      .execute();
    expect(entry).toEqual({ by: 'olivia', action: 'channel.frozen' });
  });

  test('with a wrong, revoked or expired token fails', async () => {
    const [revoked, expired] = [await makeToken(), await makeToken({ expiresInDays: 1 })];
    await registry.send('POST', `/v1/tokens/${revoked.id}/revocations`, { body: { reason: 'gone' } });
    hoursLater(24);
    for (const token of [`site_${'x'.repeat(43)}`, 'nonsense', '', revoked.token, expired.token]) {
      const response = await browser.signIn({ token });
      expect([token, response.statusCode, errorCode(response)]).toEqual([token, 401, 'token_invalid']);
      expect([token, browser.cookie]).toEqual([token, null]);
    }
  });

  test('accepts a token pasted with a line break', async () => {
    expect((await browser.signIn({ token: ` ${registry.tokens.ops}\n` })).statusCode).toBe(200);
  });

  test.each([{}, { token: 1 }, { code: 'x' }, { token: 'a', code: 'b' }, { token: 'a', more: 1 }])(
    'rejects the body %j',
    async (body) => {
      const response = await browser.signIn(body);
      expect([response.statusCode, errorCode(response)]).toEqual([422, 'body_invalid']);
    },
  );

  test('always creates a new id, which prevents session fixation', async () => {
    const fixed = `__Host-Http-console=${'f'.repeat(43)}`;
    browser.cookie = fixed;
    await browser.signIn({ token: registry.tokens.ops });
    expect(browser.cookie).not.toBe(fixed);
    const other = openBrowser(registry.app);
    other.cookie = fixed;
    expect(await isIn(other)).toBe(false);
  });

  test('again creates another id, and the previous one becomes invalid', async () => {
    await browser.signIn({ token: registry.tokens.read });
    const other = openBrowser(registry.app);
    other.cookie = browser.cookie;
    await browser.signIn({ token: registry.tokens.ops });
    expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
    expect((await who()).name).toBe('olivia');
  });

  test('stores neither the id nor the code of a link', async () => {
    const code = await makeLink();
    const codes = JSON.stringify(
      await registryTables(registry).selectFrom('console_links').selectAll().execute(),
    );
    await browser.signIn({ token: registry.tokens.ops });
    const rows = JSON.stringify(
      await registryTables(registry).selectFrom('console_sessions').selectAll().execute(),
    );
    expect(codes).not.toContain(code);
    expect(rows).toContain('token_id');
    expect(rows).not.toContain(browser.cookie?.split('=')[1]);
  });

  test('is rate-limited per address', async () => {
    const answers: number[] = [];
    for (let tries = 0; tries < 62; tries += 1) {
      answers.push((await browser.signIn({ token: `site_${'x'.repeat(43)}` })).statusCode);
    }
    expect([answers.indexOf(429), answers.at(-1)]).toEqual([60, 429]);
  });

  test.each([
    [1, 'a separate limit', 200],
    [0, 'the limit of all others, whatever the header', 429],
  ])('behind %i trusted proxies, an address has %s', async (trustProxy, _limit, status) => {
    const app = await another({ trustProxy });
    const signIn = (caller: string, token: string) =>
      openBrowser(app).ask('POST', '/console/session', {
        body: { token },
        headers: { 'x-forwarded-for': caller },
      });
    try {
      for (let tries = 0; tries < 60; tries += 1) await signIn('192.0.2.1', `site_${'x'.repeat(43)}`);
      expect((await signIn('192.0.2.1', registry.tokens.ops)).statusCode).toBe(429);
      expect((await signIn('192.0.2.2', registry.tokens.ops)).statusCode).toBe(status);
    } finally {
      await app.close();
    }
  });

  test('limits the number of sessions per token', async () => {
    const { token } = await makeToken();
    const first = openBrowser(registry.app);
    await first.signIn({ token });
    for (let more = 0; more < 50; more += 1) {
      secondsLater(2);
      await openBrowser(registry.app).signIn({ token });
    }
    const rows = await registryTables(registry).selectFrom('console_sessions').select('hash').execute();
    expect([rows.length, await isIn(first)]).toEqual([50, false]);
  });
});

describe('the current session', () => {
  const whoIsIn = (from = browser) => from.ask('GET', '/console/session');

  test('is empty without an error before sign-in and after sign-out', async () => {
    const nobody = await whoIsIn();
    expect([nobody.statusCode, nobody.json(), nobody.headers['cache-control']]).toEqual([
      200,
      { who: null },
      'no-store',
    ]);
    const session: unknown = (await browser.signIn({ token: registry.tokens.activator })).json();
    expect((await whoIsIn()).json()).toEqual({ who: session });
    const kept = openBrowser(registry.app);
    kept.cookie = browser.cookie;
    await browser.signOut();
    expect((await whoIsIn(kept)).json()).toEqual({ who: null });
  });

  test('is visible only to pages of the console', async () => {
    await browser.signIn({ token: registry.tokens.ops });
    const response = await browser.ask('GET', '/console/session', {
      headers: { 'sec-fetch-site': 'same-site' },
    });
    expect([response.statusCode, errorCode(response)]).toEqual([403, 'request_foreign']);
  });
});

describe('a session ends', () => {
  beforeEach(async () => {
    await browser.signIn({ token: registry.tokens.ops });
  });

  test('after signing out, even for a copy of the cookie', async () => {
    const kept = openBrowser(registry.app);
    kept.cookie = browser.cookie;
    const response = await browser.signOut();
    expect([response.statusCode, browser.cookie]).toEqual([204, null]);
    const again = await kept.ask('GET', '/v1/session');
    expect([again.statusCode, errorCode(again)]).toEqual([401, 'session_over']);
    expect((await browser.signOut()).statusCode).toBe(204);
  });

  test('after twelve hours', async () => {
    hoursLater(11.999);
    expect(await isIn()).toBe(true);
    hoursLater(0.001);
    expect(errorCode(await browser.ask('GET', '/v1/session'))).toBe('session_over');
  });

  test('immediately when its token is revoked', async () => {
    const { id, token } = await makeToken();
    const other = openBrowser(registry.app);
    await other.signIn({ token });
    expect(await isIn(other)).toBe(true);
    await registry.send('POST', `/v1/tokens/${id}/revocations`, { body: { reason: 'gone' } });
    expect(errorCode(await other.ask('GET', '/v1/session'))).toBe('session_over');
    expect(await isIn()).toBe(true);
  });

  test('when its token expires', async () => {
    const { token } = await makeToken({ expiresInDays: 1 });
    hoursLater(20);
    const other = openBrowser(registry.app);
    const response = await other.signIn({ token });
    expect(response.json()).toMatchObject({ expiresAt: '2026-01-02T12:00:00.000Z' });
    expect(response.headers['set-cookie']).toContain('Max-Age=14400;');
    hoursLater(3.999);
    expect(await isIn(other)).toBe(true);
    hoursLater(0.001);
    expect(await isIn(other)).toBe(false);
  });

  test.each([
    ['a guess', 'g'.repeat(43)],
    ['none', ''],
    ['no id at all', '../../../etc'],
    ['the name of a member of objects', '__proto__'],
  ])('for %s', async (_what, id) => {
    const other = openBrowser(registry.app);
    other.cookie = `__Host-Http-console=${id}`;
    expect((await other.ask('GET', '/v1/session')).statusCode).toBe(401);
  });

  test('in a restored registry, because backups contain no sessions', async () => {
    const names = (await tablesInOrder(registryTables(registry))).map(({ name }) => name);
    expect(names).toContain('tokens');
    expect(names.filter((name) => name.startsWith('console_'))).toEqual([]);
  });
});

test('responses to the console are compressed, responses to tokens are not', async () => {
  await browser.signIn({ token: registry.tokens.ops });
  for (let round = 0; round < 20; round += 1) {
    await registry.send('POST', `/v1/channels/production/${round % 2 ? 'unfreezes' : 'freezes'}`, {
      body: { reason: `${round} ${'because '.repeat(60)}` },
    });
  }
  const read = (headers: Record<string, string>) => browser.ask('GET', '/v1/audit?limit=50', { headers });
  const plain = await read({});
  const text = plain.body;
  expect(plain.json<{ events: unknown[] }>().events).toHaveLength(21);
  expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding']);
  for (const [accepted, unpack] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, rawPayload } = await read({ 'accept-encoding': accepted });
    expect([headers['content-encoding'], headers['content-type'], headers.vary]).toEqual([
      accepted,
      plain.headers['content-type'],
      'accept-encoding',
    ]);
    expect(rawPayload.length).toBeLessThan(text.length / 4);
    expect(unpack(rawPayload).toString()).toBe(text);
  }
  const small = await browser.ask('GET', '/v1/session', { headers: { 'accept-encoding': 'br' } });
  const asToken = await read({ 'accept-encoding': 'br', authorization: `Bearer ${registry.tokens.ops}` });
  expect([small.headers['content-encoding'], asToken.headers['content-encoding']]).toEqual([
    undefined,
    undefined,
  ]);
});

describe('the cookie counts only in requests of the console itself', () => {
  beforeEach(async () => {
    await browser.signIn({ token: registry.tokens.ops });
  });

  test.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of the same site, such as the one that is composed here', { 'sec-fetch-site': 'same-site' }],
    ['an address that was typed or a link', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['a navigation on the console itself', { 'sec-fetch-mode': 'navigate' }],
    ['an image or a form', { 'sec-fetch-mode': 'no-cors' }],
    ['what does not say where it comes from', { 'sec-fetch-site': undefined }],
    ['what does not say how', { 'sec-fetch-mode': undefined }],
  ])('not for %s', async (_what, headers) => {
    for (const response of [
      await browser.ask('GET', '/v1/session', { headers }),
      await freeze(headers),
      await browser.ask('POST', '/console/session', { body: { token: registry.tokens.ops }, headers }),
      await browser.ask('DELETE', '/console/session', { headers }),
    ]) {
      expect([response.statusCode, errorCode(response)]).toEqual([403, 'request_foreign']);
      expect(response.cookies).toEqual([]);
    }
    expect(await registryTables(registry).selectFrom('freezes').selectAll().execute()).toEqual([]);
    expect(await isIn()).toBe(true);
  });

  test.each([undefined, '', '0', 'true'])(
    'a write request needs a custom header, and not %j',
    async (value) => {
      const headers = { 'x-console': value };
      expect(errorCode(await freeze(headers))).toBe('request_foreign');
      expect((await browser.ask('GET', '/v1/session', { headers })).statusCode).toBe(200);
    },
  );

  test('a token in the request takes precedence, wherever the request comes from', async () => {
    const response = await browser.ask('GET', '/v1/session', {
      headers: { authorization: `Bearer ${registry.tokens.read}`, 'sec-fetch-site': 'cross-site' },
    });
    expect(response.json()).toMatchObject({ name: 'reader', session: false, expiresAt: null });
  });

  test('response headers allow no other origin', async () => {
    const response = await browser.ask('GET', '/v1/session', { headers: { origin: 'https://evil.example' } });
    const names = Object.keys(response.headers).filter((name) => name.startsWith('access-control-'));
    expect(names).toEqual([]);
    const preflight = await registry.app.inject({
      method: 'OPTIONS',
      url: '/v1/channels/production/freezes',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(404);
  });
});

describe('a link', () => {
  test("signs in the first user who opens it, with its author's permissions", async () => {
    const code = await makeLink('activator');
    const response = await browser.signIn({ code });
    expect(response.json()).toMatchObject({ name: 'ben', scopes: ['activate:mfe-blocks'], session: true });
    expect((await who()).name).toBe('ben');
  });

  test('works once', async () => {
    const code = await makeLink();
    const other = await another();
    const others = [browser, openBrowser(registry.app), openBrowser(other), openBrowser(registry.app)];
    const answers = await Promise.all(others.map((one) => one.signIn({ code })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401, 401, 401]);
    const late = await openBrowser(registry.app).signIn({ code });
    expect([late.statusCode, errorCode(late)]).toEqual([401, 'link_over']);
    await other.close();
  });

  test('is valid for a minute', async () => {
    const [first, second] = [await makeLink(), await makeLink()];
    secondsLater(59.999);
    expect((await browser.signIn({ code: first })).statusCode).toBe(200);
    secondsLater(0.001);
    expect(errorCode(await browser.signIn({ code: second }))).toBe('link_over');
  });

  test('is unguessable', async () => {
    await makeLink();
    expect(errorCode(await browser.signIn({ code: 'g'.repeat(43) }))).toBe('link_over');
  });

  test('ends with its token, and so does the session it started', async () => {
    const { id, token } = await makeToken();
    const author = { headers: { authorization: `Bearer ${token}` }, body: {} };
    const link = async () =>
      (await registry.send<{ path: string }>('POST', '/v1/console-links', author)).body.path.split('=')[1] ??
      '';
    const [opened, open] = [await link(), await link()];
    await browser.signIn({ code: opened });
    expect(await isIn()).toBe(true);
    await registry.send('POST', `/v1/tokens/${id}/revocations`, { body: { reason: 'gone' } });
    expect([await isIn(), (await openBrowser(registry.app).signIn({ code: open })).statusCode]).toEqual([
      false,
      401,
    ]);
  });

  test('created in a session does not extend that session', async () => {
    await browser.signIn({ token: registry.tokens.ops });
    hoursLater(11);
    const made = await browser.ask('POST', '/v1/console-links', { body: {} });
    const code = made.json<{ path: string }>().path.split('=')[1] ?? '';
    const other = openBrowser(registry.app);
    expect((await other.signIn({ code })).json()).toMatchObject({ expiresAt: '2026-01-02T00:00:00.000Z' });
  });

  test('requires a token', async () => {
    const response = await registry.app.inject({ method: 'POST', url: '/v1/console-links', payload: {} });
    expect(response.statusCode).toBe(401);
  });

  test('has its code in the fragment, which browsers do not send', async () => {
    const { body } = await registry.send<{ path: string }>('POST', '/v1/console-links', { body: {} });
    expect(new URL(body.path, 'http://localhost').href.split('#')[0]).toBe('http://localhost/console');
  });
});

test('a session is shared by all registries over one database, and ends on all of them', async () => {
  await browser.signIn({ token: registry.tokens.ops });
  const other = await another();
  const there = openBrowser(other);
  there.cookie = browser.cookie;
  expect(await isIn(there)).toBe(true);
  await there.signOut();
  expect([await isIn(there), await isIn(browser)]).toEqual([false, false]);
  await other.close();
});

test('an idempotency key holds across the sessions of a token: a lost response is repeated after signing in again', async () => {
  await registry.startSite();
  const next = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  await registry.publish(next);
  const activate = () =>
    browser.ask('POST', '/v1/channels/production/releases', {
      body: { apps: { 'mfe-blocks': next.version }, reason: 'from the console' },
      headers: { 'idempotency-key': 'k1' },
    });
  await browser.signIn({ token: registry.tokens.ops });
  const first = await activate();
  await browser.signOut();
  await browser.signIn({ token: registry.tokens.ops });
  const second = await activate();
  expect([first.statusCode, second.headers['idempotency-replayed']]).toEqual([201, 'true']);
  expect(second.json()).toMatchObject({ release: { id: 'r2', by: 'olivia' } });
});
