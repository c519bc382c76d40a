import { createHash } from 'node:crypto';
import type { ReleaseDocument } from '@site/contract';
import { ask } from './testing/ask.ts';
import { bootDataIn, createEdgeHarness, manifestOf, type EdgeHarness } from './testing/edge-harness.ts';
import { createSampleRelease } from './testing/sample-release.ts';
import { until } from './testing/until.ts';

// On a busy machine the sockets and compressors in here take a while.
jest.setTimeout(30_000);

const id = '01234567-89ab-4cde-8f01-23456789abcd';
let harness: EdgeHarness;
/** Seconds. */
let clock: number;
beforeEach(async () => {
  harness = await createEdgeHarness();
  clock = 1_800_000_000;
});
afterEach(() => harness.close());

const start = (overrides: Parameters<EdgeHarness['start']>[0] = {}) =>
  harness.startServing({ now: () => clock * 1000, ...overrides });

function addPreview(): { document: ReleaseDocument; version: string } {
  const document = createSampleRelease(harness.store, { id: 'r1', editions: { 'mfe-blocks': 'previewed' } });
  harness.registry.previews.set(id, document);
  return { document, version: String(document.release.apps['mfe-blocks']) };
}

const claims = (changes: object = {}) => ({
  aud: 'preview',
  jti: id,
  channel: 'production',
  app: 'mfe-blocks',
  version: '1.0.0-0123456789ab',
  iat: clock - 10,
  exp: clock + 600,
  ...changes,
});
const linkTo = (token: string, path = '') => `/_preview?token=${token}${path && `&path=${path}`}`;
const cookieOf = ({ headers }: { headers: { 'set-cookie'?: string[] | undefined } }) =>
  String(headers['set-cookie']?.[0]?.split(';')[0]);

/** What a browser sends along with the form of the page that a link leads to. */
const fromItsPage = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } };

/** Opens a link and goes on, as a browser does. */
async function open(url: string, token: string) {
  const opened = await ask(url, linkTo(token), fromItsPage);
  expect(opened.status).toBe(303);
  return { headers: { cookie: cookieOf(opened) } };
}

test('a link shows the live site with just that version, marked, to whoever opened it', async () => {
  const { url } = await start();
  const { version } = addPreview();
  const token = harness.registry.signPreview(claims({ version }));
  const opened = await ask(url, linkTo(token), fromItsPage);
  expect(opened.headers).toMatchObject({
    location: '/blocks',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'set-cookie': [`preview=${token}; Path=/; Max-Age=600; HttpOnly; SameSite=Strict; Secure`],
  });

  const visitor = { headers: { cookie: cookieOf(opened) } };
  const page = await ask(url, '/blocks', visitor);
  expect(page.text).toContain('<main>/blocks  previewed</main>');
  expect(page.text).toMatch(
    new RegExp(
      `<aside id="preview-banner"[^>]*>Preview of mfe-blocks@${version}\\. <a href="/_preview/leave">`,
    ),
  );
  expect(page.headers).toMatchObject({
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': 'private, no-store',
  });
  expect(page.headers.etag).toBeUndefined();
  expect((await ask(url, '/start', visitor)).text).toContain('<main>/start  one</main>');

  const other = await ask(url, '/blocks');
  expect(other.text).toContain('<main>/blocks  one</main>');
  expect(other.text).not.toContain('preview-banner');
  expect(other.headers['x-robots-tag']).toBeUndefined();
});

describe('a link alone', () => {
  test('shows no preview: it leads to a page that asks', async () => {
    const { url } = await start();
    const { version } = addPreview();
    const asked = await ask(url, linkTo(harness.registry.signPreview(claims({ version })), '/start'));
    expect([asked.status, asked.headers['set-cookie']]).toEqual([200, undefined]);
    expect(asked.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'content-type': 'text/html; charset=utf-8',
      // Not even the page's own form tells the address with its token, but it does tell the origin.
      'referrer-policy': 'strict-origin',
    });
    const policy = String(asked.headers['content-security-policy']).split('; ');
    const style = createHash('sha256')
      .update(/<style>(.*)<\/style>/.exec(asked.text)?.[1] ?? '')
      .digest('base64');
    expect(policy).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${style}'`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(asked.text).toContain(`<h1>Preview of mfe-blocks@${version}</h1>`);
    expect(asked.text).toContain(
      'until <time datetime="2027-01-15T08:10:00.000Z">2027-01-15 08:10 UTC</time>',
    );
    expect(asked.text).toContain('<form method="post"><button>Show the preview</button></form>');
    expect(asked.text).not.toMatch(/<script|\.eyJ/);
  });

  const origin = 'https://www.example.com';
  test.each([
    ['the page itself', { 'sec-fetch-site': 'same-origin' }, 303],
    ['the page itself, in a browser that names the origin only', { origin }, 303],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    ['another site that says that it is this one', { 'sec-fetch-site': 'cross-site', origin }, 403],
    ['a sibling', { 'sec-fetch-site': 'same-site' }, 403],
    ['nobody, by the address bar', { 'sec-fetch-site': 'none' }, 403],
    ['another site, in a browser that names the origin only', { origin: 'https://evil.example' }, 403],
    ['a page that hides its origin', { origin: 'null' }, 403],
    ['something that says nothing', {}, 403],
  ])('a form that is sent by %s', async (_who, headers: Record<string, string>, status) => {
    const { url } = await start();
    addPreview();
    const token = harness.registry.signPreview(claims());
    const answered = await ask(url, linkTo(token), { method: 'POST', headers });
    expect([answered.status, answered.headers['set-cookie'] !== undefined]).toEqual([status, status === 303]);
    if (status === 403) expect(answered.text).toContain('<h1>This preview was not started here</h1>');
  });

  test('takes POST at its own address and nowhere else', async () => {
    const { url } = await start();
    for (const target of ['/_preview/leave', '/blocks', '/nope', '/__site/state']) {
      const { status, headers } = await ask(url, target, fromItsPage);
      expect([target, status, headers.allow]).toEqual([target, 405, 'GET, HEAD']);
    }
    const { status, headers } = await ask(url, linkTo('a.b.c'), { method: 'PUT' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  });
});

test("a preview's files are served", async () => {
  const { url } = await start();
  const { document } = addPreview();
  const visitor = await open(url, harness.registry.signPreview(claims()));
  expect(
    (await ask(url, `/assets/mfe-blocks/${manifestOf(document, 'mfe-blocks').entry}`, visitor)).text,
  ).toBe('/* mfe-blocks previewed */');
});

test('a link can lead to another page of the site, and nowhere else', async () => {
  const { url } = await start();
  addPreview();
  const token = harness.registry.signPreview(claims());
  const leadsTo = async (path: string) => (await ask(url, linkTo(token, path), fromItsPage)).headers.location;
  expect(await leadsTo('/start')).toBe('/start');
  for (const path of [
    '//evil.example',
    'https://evil.example/',
    '/%5C%5Cevil.example',
    '/a?b=c',
    'javascript:1',
  ])
    expect(await leadsTo(encodeURIComponent(path))).toBe('/blocks');
});

test.each([
  ['forged', () => harness.registry.signPreview(claims(), { forged: true }), 'not valid'],
  ['missing', () => '', 'not valid'],
  ['cut short', () => harness.registry.signPreview(claims()).slice(0, -4), 'not valid'],
  ['unsigned', () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`, 'not valid'],
  ['meant for something else', () => harness.registry.signPreview(claims({ aud: 'guest' })), 'not valid'],
  ['for another channel', () => harness.registry.signPreview(claims({ channel: 'staging' })), 'not valid'],
  ['without end', () => harness.registry.signPreview(claims({ exp: undefined })), 'not valid'],
  [
    'of a dev origin elsewhere',
    () => harness.registry.signPreview(claims({ version: undefined, dev: 'https://evil.example' })),
    'not valid',
  ],
  [
    'of a dev origin that ends the policy',
    () =>
      harness.registry.signPreview(claims({ version: undefined, dev: 'http://localhost:1; script-src *' })),
    'not valid',
  ],
  ['expired', () => harness.registry.signPreview(claims({ exp: clock - 1 })), 'is over'],
  [
    'revoked',
    () => (harness.registry.previews.set(id, 'over'), harness.registry.signPreview(claims())),
    'is over',
  ],
  [
    'of a preview that the registry does not know',
    () => harness.registry.signPreview(claims({ jti: 'ffffffff-0000-4000-8000-000000000002' })),
    'is over',
  ],
])('a link that is %s is refused, and says so', async (_what, makeToken, words) => {
  const { url } = await start();
  addPreview();
  const token = makeToken();
  for (const request of [{}, fromItsPage]) {
    const refused = await ask(url, linkTo(token), request);
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined]);
    expect(refused.text).toContain(words);
  }
  // A cookie is no way around it.
  const page = await ask(url, '/blocks', { headers: { cookie: `preview=${token}` } });
  expect(page.text).toContain('<main>/blocks  one</main>');
  if (token)
    expect(page.headers['set-cookie']).toEqual([
      'preview=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    ]);
});

test('a preview ends when its link expires, and when it is revoked within five seconds', async () => {
  const { url } = await start();
  addPreview();
  const visitor = await open(url, harness.registry.signPreview(claims()));
  const shows = async () => /<main>\/blocks {2}(\w+)</.exec((await ask(url, '/blocks', visitor)).text)?.[1];
  harness.registry.previews.set(id, 'over');
  clock += 4;
  expect(await shows()).toBe('previewed');
  clock += 1;
  expect(await shows()).toBe('one');

  addPreview();
  clock += 5;
  expect(await shows()).toBe('previewed');
  clock += 600;
  expect(await shows()).toBe('one');
});

test('a preview can be left', async () => {
  const { url } = await start();
  const left = await ask(url, '/_preview/leave');
  expect([left.status, left.headers.location, left.headers['set-cookie']]).toEqual([
    303,
    '/',
    ['preview=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure'],
  ]);
});

test('the registry is asked at most every five seconds, and at once when the live release moves', async () => {
  const { url, edge } = await start();
  addPreview();
  const visitor = await open(url, harness.registry.signPreview(claims()));
  const asked = () =>
    harness.registry.requests.filter((path) => path === `/v1/previews/${id}/document`).length;
  for (let time = 0; time < 3; time += 1) await ask(url, '/blocks', visitor);
  expect(asked()).toBe(1);
  harness.registry.activate(
    createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-marketing': 'two' } }),
  );
  await until(() => edge.release() === 'r2');
  const next = createSampleRelease(harness.store, {
    id: 'r2',
    editions: { 'mfe-marketing': 'two', 'mfe-blocks': 'previewed' },
  });
  harness.registry.previews.set(id, next);
  expect((await ask(url, '/start', visitor)).text).toContain('<main>/start  two</main>');
  expect(asked()).toBe(2);
});

test('a preview stays while the registry is away, and links open after a restart without it', async () => {
  const first = await start();
  addPreview();
  const token = harness.registry.signPreview(claims());
  const visitor = await open(first.url, token);
  await harness.registry.goAway();
  clock += 60;
  expect((await ask(first.url, '/blocks', visitor)).text).toContain('<main>/blocks  previewed</main>');
  await first.stop();

  const second = await harness.start({ now: () => clock * 1000 });
  const opened = await ask(second.url, linkTo(token));
  expect([
    opened.status,
    opened.headers['retry-after'] ?? '',
    opened.text.includes('not available right now'),
  ]).toEqual([503, '', true]);
  const forged = await ask(second.url, linkTo(harness.registry.signPreview(claims(), { forged: true })));
  expect(forged.status).toBe(403);
});

test.each([
  ['is none', () => '1'],
  ['is signed otherwise', () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
  ['is for another channel', () => harness.registry.signPreview(claims({ channel: 'staging' }))],
  ['has expired', () => harness.registry.signPreview(claims({ exp: clock - 1 }))],
])('a cookie that %s is no preview, also while the keys were never fetched', async (_what, makeToken) => {
  const first = await start();
  await first.stop();
  await harness.registry.goAway();
  const { url } = await harness.start({ now: () => clock * 1000 });
  const page = await ask(url, '/start', { headers: { cookie: `preview=${makeToken()}` } });
  expect([page.status, page.headers['set-cookie']]).toEqual([
    200,
    ['preview=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure'],
  ]);
  expect(page.text).toContain('<main>/start  one</main>');
});

test('a preview ends within five minutes after the registry took back the key of its link', async () => {
  const { url } = await start();
  addPreview();
  const visitor = await open(url, harness.registry.signPreview(claims()));
  harness.registry.changeKey();
  const shows = async () => /<main>\/blocks {2}(\w+)</.exec((await ask(url, '/blocks', visitor)).text)?.[1];
  clock += 299;
  expect(await shows()).toBe('previewed');
  clock += 1;
  expect(await shows()).toBe('one');
});

test('a preview that cannot be shown right now is not replaced by the live site, and comes back', async () => {
  const first = await start();
  addPreview();
  const visitor = await open(first.url, harness.registry.signPreview(claims()));
  await first.stop();
  await harness.registry.goAway();

  const { url } = await harness.start({ now: () => clock * 1000 });
  const page = await ask(url, '/blocks', visitor);
  expect([page.status, page.headers['set-cookie'], page.headers['cache-control']]).toEqual([
    503,
    undefined,
    'no-store',
  ]);
  expect(page.text).toContain('not available right now');
  expect(page.text).toContain('<a href="/_preview/leave">');
  expect((await ask(url, '/_preview/leave', visitor)).status).toBe(303);
  expect(JSON.parse((await ask(url, '/__site/state', visitor)).text)).toMatchObject({ release: 'r1' });
  expect((await ask(url, '/blocks')).text).toContain('<main>/blocks  one</main>');

  await harness.registry.comeBack();
  expect((await ask(url, '/blocks', visitor)).text).toContain('<main>/blocks  previewed</main>');
});

test('files at the root that everyone may keep say nothing of a preview; those of the preview are private', async () => {
  const { url } = await start();
  const { document } = addPreview();
  const shell = manifestOf(document, 'shell');
  if (shell.kind !== 'shell') throw new Error('mixed up');
  shell.document.rootFiles['card.png'] = String(shell.document.rootFiles['favicon.svg']);
  const visitor = await open(url, harness.registry.signPreview(claims()));
  const told = async (path: string, options?: Parameters<typeof ask>[2]) => {
    const { status, headers } = await ask(url, path, options);
    return [status, headers['cache-control'], headers.vary, headers['x-robots-tag']];
  };
  expect(await told('/favicon.svg', visitor)).toEqual(await told('/favicon.svg'));
  expect(await told('/favicon.svg')).toEqual([200, 'public, max-age=3600', undefined, undefined]);
  expect(await told('/card.png', visitor)).toEqual([200, 'private, no-store', 'Cookie', 'noindex, nofollow']);
  expect((await told('/card.png'))[0]).toBe(404);
});

test('a preview comes before a canary', async () => {
  const { url, edge } = await start();
  addPreview();
  harness.registry.startCanary(
    createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'canary' } }),
    50,
  );
  await until(() => edge.candidate() === 'r2');
  const { headers } = await open(url, harness.registry.signPreview(claims()));
  const page = await ask(url, '/blocks', { headers: { cookie: `${headers.cookie}; bucket=0` } });
  expect(page.text).toContain('<main>/blocks  previewed</main>');
});

describe('a dev preview', () => {
  const dev = 'http://localhost:3002';
  async function openDev() {
    const { url, document } = await start();
    harness.registry.previews.set(id, document);
    const visitor = await open(url, harness.registry.signPreview(claims({ version: undefined, dev })));
    return { url, visitor };
  }

  test('takes one remote from the developer, unrendered, and everything else from the site', async () => {
    const { url, visitor } = await openDev();
    const { text } = await ask(url, '/blocks', visitor);
    const boot = bootDataIn(text);
    expect(boot.remotes.find(({ name }) => name === 'mfe-blocks')).toEqual({
      name: 'mfe-blocks',
      version: 'dev',
      entry: `${dev}/assets/mfe-blocks/remoteEntry.js`,
      integrity: '',
      scripts: [],
      dev: true,
    });
    expect(text).toContain('<div id="root"></div>');
    expect(text).toContain(`Preview of mfe-blocks from ${dev}.`);
    expect(text).not.toContain('/assets/mfe-blocks/pages');
    const home = await ask(url, '/start', visitor);
    expect(home.text).toContain('<main>/start  one</main>');
    expect(bootDataIn(home.text).remotes.filter(({ entry }) => entry.startsWith('http'))).toHaveLength(1);
  });

  test('is asked for, too, by its origin', async () => {
    const { url, document } = await start();
    harness.registry.previews.set(id, document);
    const asked = await ask(url, linkTo(harness.registry.signPreview(claims({ version: undefined, dev }))));
    expect([asked.status, asked.headers['set-cookie']]).toEqual([200, undefined]);
    expect(asked.text).toContain(`<h1>Preview of mfe-blocks from ${dev}</h1>`);
  });

  test('allows exactly that origin in its policy, in that browser only', async () => {
    const { url, visitor } = await openDev();
    const policy = async (options: Parameters<typeof ask>[2]) =>
      String((await ask(url, '/blocks', options)).headers['content-security-policy']);
    const directives = (await policy(visitor)).split('; ');
    expect(
      directives.filter((directive) => directive.includes(dev)).map((directive) => directive.split(' ')[0]),
    ).toEqual(['script-src', 'style-src', 'img-src', 'font-src', 'connect-src']);
    expect(directives.find((directive) => directive.startsWith('connect-src'))).toContain(
      `${dev} ws://localhost:3002`,
    );
    expect(directives.join()).not.toContain('unsafe');
    expect(await policy({})).not.toContain('localhost');
  });
});
