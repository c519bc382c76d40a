import { createHash } from 'node:crypto';
import type { Preview, ReleaseDocument } from '@site/contract';
import { ask } from './testing/ask.ts';
import { bootDataIn, createEdgeHarness, manifestOf, type EdgeHarness } from './testing/edge-harness.ts';
import { samplePreview } from './testing/fake-registry.ts';
import { createSampleRelease } from './testing/sample-release.ts';
import { until } from './testing/until.ts';

// On a busy machine the sockets and compressors in here take a while.
jest.setTimeout(30_000);

const linkId = 'L1nk-id_'.padEnd(43, 'x');
let harness: EdgeHarness;
/** Milliseconds. */
let clock: number;
beforeEach(async () => {
  harness = await createEdgeHarness();
  clock = Date.parse('2027-01-15T08:00:00.000Z');
});
afterEach(() => harness.close());

const start = (overrides: Parameters<EdgeHarness['start']>[0] = {}) =>
  harness.startServing({ now: () => clock, ...overrides });

function addPreview(changes: Partial<Preview> = {}): { document: ReleaseDocument; version: string } {
  const document = createSampleRelease(harness.store, { id: 'r1', editions: { 'mfe-blocks': 'previewed' } });
  const version = String(document.release.apps['mfe-blocks']);
  const preview = samplePreview({ version, expiresAt: '2027-01-15T08:10:00.000Z', ...changes });
  harness.registry.previews.set(linkId, { preview, document });
  return { document, version };
}

const linkTo = (id: string, path = '') => `/_preview?id=${id}${path && `&path=${path}`}`;
const cookieOf = ({ headers }: { headers: { 'set-cookie'?: string[] | undefined } }) =>
  String(headers['set-cookie']?.[0]?.split(';')[0]);

/** What a browser sends along when somebody presses the button of the page that a link leads to. */
const pressed = {
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-user': '?1',
};
const fromItsPage = { method: 'POST', headers: pressed };
const withCookie = { headers: { cookie: `__Host-preview=${linkId}` } };
const noCookie = '__Host-preview=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure';

/** Opens a link and goes on, as a browser does. */
async function open(url: string) {
  const opened = await ask(url, linkTo(linkId), fromItsPage);
  expect(opened.status).toBe(303);
  return { headers: { cookie: cookieOf(opened) } };
}
const shownAt = async (url: string, path = '/blocks') =>
  /<main>\/\w+ {2}(\w+)</.exec((await ask(url, path, withCookie)).text)?.[1];

test('a link shows the live site with just that version, marked, to whoever opened it', async () => {
  const { url } = await start();
  const { version } = addPreview();
  const opened = await ask(url, linkTo(linkId), fromItsPage);
  expect(opened.headers).toMatchObject({
    location: '/blocks',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'set-cookie': [`__Host-preview=${linkId}; Path=/; Max-Age=600; HttpOnly; SameSite=Strict; Secure`],
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
    const asked = await ask(url, linkTo(linkId, '/start'));
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
    expect(asked.text).toContain(`<h1>Preview of <span>mfe-blocks@</span><wbr><span>${version}</span></h1>`);
    expect(asked.text).toContain(
      'until <time datetime="2027-01-15T08:10:00.000Z">2027-01-15 08:10 UTC</time>',
    );
    expect(asked.text).toContain('<form method="post"><button>Show the preview</button></form>');
    expect(asked.text).not.toContain('<script');
    expect(asked.text).not.toContain(linkId);
    // Under the second click of a double click there is nothing to press yet.
    expect(asked.text).toMatch(/visibility:hidden;animation:appear 0s 1s forwards/);
  });

  const origin = 'https://www.example.com';
  test.each([
    ['a person on the page itself', pressed, 303],
    ['a script of the site, without a click', { ...pressed, 'sec-fetch-user': undefined }, 403],
    ['a script of the site, by fetch', { ...pressed, 'sec-fetch-mode': 'cors' }, 403],
    ['a frame', { ...pressed, 'sec-fetch-dest': 'iframe' }, 403],
    ['another site, where somebody clicked', { ...pressed, 'sec-fetch-site': 'cross-site' }, 403],
    [
      'another site that says that it is this one',
      { ...pressed, 'sec-fetch-site': 'cross-site', origin },
      403,
    ],
    ['a sibling', { ...pressed, 'sec-fetch-site': 'same-site' }, 403],
    ['nobody, by the address bar', { ...pressed, 'sec-fetch-site': 'none' }, 403],
    ['a browser that says only where it comes from', { 'sec-fetch-site': 'same-origin' }, 403],
    ['a browser that names the origin only', { origin }, 403],
    ['something that says nothing', {}, 403],
  ])('a form that is sent by %s', async (_who, sent: Record<string, string | undefined>, status) => {
    const { url } = await start();
    addPreview();
    const headers = Object.fromEntries(
      Object.entries(sent).filter((header): header is [string, string] => header[1] !== undefined),
    );
    const answered = await ask(url, linkTo(linkId), { method: 'POST', headers });
    expect([answered.status, answered.headers['set-cookie'] !== undefined]).toEqual([status, status === 303]);
    if (status === 403) expect(answered.text).toContain('<h1>This preview was not started here</h1>');
  });

  test.each([
    ['http://www.example.com', 403],
    ['http://localhost:8080', 200],
    ['http://127.0.0.1:8080', 200],
  ])('at %s, says so when browsers would not keep its cookie', async (configured, status) => {
    const document = createSampleRelease(harness.store, { id: 'r1' });
    document.release.config.origin = configured;
    harness.registry.activate(document);
    const { url, edge } = await harness.start({ now: () => clock });
    await until(() => edge.release() === 'r1');
    addPreview();
    const asked = await ask(url, linkTo(linkId));
    expect([asked.status, asked.text.includes('begins with http://')]).toEqual([status, status === 403]);
  });

  test('takes POST at its own address and nowhere else', async () => {
    const { url } = await start();
    for (const target of ['/_preview/leave', '/blocks', '/nope', '/__site/state']) {
      const { status, headers } = await ask(url, target, fromItsPage);
      expect([target, status, headers.allow]).toEqual([target, 405, 'GET, HEAD']);
    }
    const { status, headers } = await ask(url, linkTo(linkId), { method: 'PUT' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  });
});

test("a preview's files are served", async () => {
  const { url } = await start();
  const { document } = addPreview();
  const visitor = await open(url);
  expect(
    (await ask(url, `/assets/mfe-blocks/${manifestOf(document, 'mfe-blocks').entry}`, visitor)).text,
  ).toBe('/* mfe-blocks previewed */');
});

test('a link can lead to another page of the site, and nowhere else', async () => {
  const { url } = await start();
  addPreview();
  const leadsTo = async (path: string) =>
    (await ask(url, linkTo(linkId, path), fromItsPage)).headers.location;
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

test.each<[string, string, () => void, string]>([
  ['missing', '', () => undefined, 'not valid'],
  ['cut short', linkId.slice(0, -4), () => undefined, 'not valid'],
  ['made up', 'm'.repeat(43), () => undefined, 'not valid'],
  ['the hash of one', 'a1b2'.repeat(16), () => undefined, 'not valid'],
  ['for another channel', linkId, () => addPreview({ channel: 'staging' }), 'not valid'],
  ['over', linkId, () => harness.registry.previews.set(linkId, 'over'), 'is over'],
])('a link that is %s is refused, and says so', async (_what, id, change, words) => {
  const { url } = await start();
  addPreview();
  change();
  for (const request of [{}, fromItsPage]) {
    const refused = await ask(url, linkTo(id), request);
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined]);
    expect(refused.text).toContain(words);
  }
  // A cookie is no way around it.
  const page = await ask(url, '/blocks', { headers: { cookie: `__Host-preview=${id}` } });
  expect(page.text).toContain('<main>/blocks  one</main>');
  if (id) expect(page.headers['set-cookie']).toEqual([noCookie]);
});

test('a dev origin that the registry should never have let in shows nothing', async () => {
  const { url } = await start();
  for (const dev of ['https://evil.example', 'http://localhost:1; script-src *']) {
    addPreview({ version: null, dev });
    const refused = await ask(url, linkTo(linkId), fromItsPage);
    expect([refused.status, refused.headers['set-cookie']]).toEqual([503, undefined]);
  }
});

test('a preview that was taken back is gone within the second, at every edge, also at one that hears no events', async () => {
  const one = await start();
  const two = await harness.start({ now: () => clock, id: 'edge-2', cacheDir: `${harness.cacheDir}/2` });
  await until(() => two.edge.release() === 'r1');
  addPreview();
  for (const { url } of [one, two]) {
    await open(url);
    expect(await shownAt(url)).toBe('previewed');
  }
  // Nobody tells the edges.
  harness.registry.previews.set(linkId, 'over');
  clock += 999;
  for (const { url } of [one, two]) {
    const page = await ask(url, '/blocks', withCookie);
    expect(page.text).toContain('<main>/blocks  one</main>');
    expect(page.headers['set-cookie']).toEqual([noCookie]);
    // Its open tabs leave it at their next navigation, as those of a revoked release do; others stay.
    const state = async (headers: Record<string, string>) =>
      JSON.parse((await ask(url, '/__site/state?release=r1', { headers })).text) as unknown;
    expect(await state(withCookie.headers)).toEqual({ release: 'r1', revoked: ['r1'] });
    expect(await state({})).toEqual({ release: 'r1', revoked: [] });
    expect((await ask(url, linkTo(linkId))).text).toContain('This preview link is over');
  }
});

test('a preview that is taken back while it is loaded is not shown', async () => {
  const { url } = await start();
  const { document } = addPreview();
  const slow = harness.registry.requests;
  // Ended between the document and the answer: the last question before it is shown finds out.
  const described = () => slow.filter((path) => /^\/v1\/previews\/\w+$/.test(path)).length;
  harness.registry.onDocument = () => harness.registry.previews.set(linkId, 'over');
  expect((await ask(url, linkTo(linkId), fromItsPage)).status).toBe(403);
  expect(described()).toBe(2);
  expect(document.release.id).toBe('r1');
});

test('a preview can be left', async () => {
  const { url } = await start();
  const left = await ask(url, '/_preview/leave');
  expect([left.status, left.headers.location, left.headers['set-cookie']]).toEqual([303, '/', [noCookie]]);
});

test('the registry is asked twice a second at most, and the preview follows what is live', async () => {
  const { url } = await start();
  addPreview();
  await open(url);
  const asked = (part = '') =>
    harness.registry.requests.filter((path) => new RegExp(`^/v1/previews/\\w+${part}$`).test(path)).length;
  const before = asked();
  for (let time = 0; time < 3; time += 1) await ask(url, '/blocks', withCookie);
  clock += 499;
  await ask(url, '/blocks', withCookie);
  expect([asked(), asked('/document')]).toEqual([before, 1]);
  clock += 1;
  await ask(url, '/blocks', withCookie);
  expect([asked(), asked('/document')]).toEqual([before + 1, 1]);

  // Also when this edge itself has not heard of what is live by now.
  const editions = { 'mfe-marketing': 'two', 'mfe-blocks': 'previewed' };
  const document = createSampleRelease(harness.store, { id: 'r2', editions });
  harness.registry.previews.set(linkId, { document, preview: samplePreview({ stable: 'r2' }) });
  clock += 500;
  expect(await shownAt(url, '/start')).toBe('two');
});

test('while the registry is away no preview is shown, nor the live site in its place; and it comes back', async () => {
  const { url } = await start();
  addPreview();
  const visitor = await open(url);
  await harness.registry.goAway();
  clock += 499;
  expect(await shownAt(url)).toBe('previewed');
  clock += 1;
  const page = await ask(url, '/blocks', visitor);
  expect([page.status, page.headers['set-cookie'], page.headers['cache-control']]).toEqual([
    503,
    undefined,
    'no-store',
  ]);
  expect(page.text).toContain('not available right now');
  expect(page.text).toContain('<a href="/_preview/leave">');
  expect((await ask(url, '/_preview/leave', visitor)).status).toBe(303);
  expect((await ask(url, linkTo(linkId))).status).toBe(503);
  // What is no id of ours costs nobody the site.
  const junk = await ask(url, '/blocks', { headers: { cookie: '__Host-preview=a.b.c' } });
  expect([junk.status, junk.headers['set-cookie']]).toEqual([200, [noCookie]]);
  expect((await ask(url, '/blocks')).text).toContain('<main>/blocks  one</main>');

  await harness.registry.comeBack();
  expect(await shownAt(url)).toBe('previewed');
});

test('made-up ids are asked of the registry few at a time, and once each; previews that are open go on', async () => {
  const { url } = await start();
  addPreview();
  await open(url);
  let under = 0;
  let most = 0;
  harness.registry.onDescribe = async (id) => {
    if (id !== null) return;
    under += 1;
    most = Math.max(most, under);
    await new Promise((resolve) => setImmediate(resolve));
    under -= 1;
  };
  const madeUp = (index: number) => `${index}-`.padEnd(43, 'z');
  const visit = (index: number) =>
    ask(url, '/blocks', { headers: { cookie: `__Host-preview=${madeUp(index)}` } });
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => visit(index)));
  expect(most).toBeLessThanOrEqual(4);
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual(
    [],
  );
  const asked = harness.registry.requests.length;
  const known = answers.findIndex(({ status }) => status === 200);
  expect((await visit(known)).status).toBe(200);
  expect(harness.registry.requests.length).toBe(asked);
  clock += 500;
  expect(await shownAt(url)).toBe('previewed');
});

test('made-up ids cannot use up what the registry answers to this edge: one address has 300 a minute', async () => {
  const { url } = await start();
  addPreview();
  await open(url);
  const describing = () =>
    harness.registry.requests.filter((path) => /^\/v1\/previews\/\w+$/.test(path)).length;
  const visit = async (index: number) => {
    const cookie = `__Host-preview=${`${index}-`.padEnd(43, 'z')}`;
    return (await ask(url, '/blocks', { headers: { cookie } })).status;
  };
  const before = describing();
  for (let index = 0; index < 310; index += 1) await visit(index);
  expect(describing() - before).toBeLessThanOrEqual(300);
  expect(await visit(311)).toBe(503);
  // What is open is not made up.
  clock += 500;
  expect(await shownAt(url)).toBe('previewed');
  clock += 60_000;
  expect(await visit(312)).toBe(200);
});

test('files at the root that everyone may keep say nothing of a preview; those of the preview are private', async () => {
  const { url } = await start();
  const { document } = addPreview();
  const shell = manifestOf(document, 'shell');
  if (shell.kind !== 'shell') throw new Error('mixed up');
  shell.document.rootFiles['card.png'] = String(shell.document.rootFiles['favicon.svg']);
  const visitor = await open(url);
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
  const { headers } = await open(url);
  const page = await ask(url, '/blocks', { headers: { cookie: `${headers.cookie}; bucket=0` } });
  expect(page.text).toContain('<main>/blocks  previewed</main>');
});

describe('a dev preview', () => {
  const dev = 'http://localhost:3002';
  const addDev = (document: ReleaseDocument) =>
    harness.registry.previews.set(linkId, { document, preview: samplePreview({ version: null, dev }) });
  async function openDev() {
    const { url, document } = await start();
    addDev(document);
    return { url, visitor: await open(url) };
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
    addDev(document);
    const asked = await ask(url, linkTo(linkId));
    expect([asked.status, asked.headers['set-cookie']]).toEqual([200, undefined]);
    expect(asked.text).toContain(`<h1>Preview of <span>mfe-blocks</span> from ${dev}</h1>`);
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
