import { createHash } from 'node:crypto';
import { ask } from '../testing/ask.ts';
import { findManifest } from '../testing/edge-harness.ts';
import {
  readCookie,
  linkId,
  linkTo,
  noCookie,
  open,
  press,
  pressed,
  previewSite,
} from '../testing/preview-site.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';

const site = previewSite();
const { harness, start, addPreview } = site;

test('a link shows the live site with just that version, marked as a preview, to the browser that opened it', async () => {
  const { url } = await start();
  const { version } = addPreview();
  const opened = await press(url, linkTo(linkId));
  expect(opened.headers).toMatchObject({
    location: '/blocks',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'set-cookie': [`__Host-Http-preview=${linkId}; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax`],
  });

  const visitor = { headers: { cookie: readCookie(opened) } };
  const page = await ask(url, '/blocks', visitor);
  expect(page.text).toContain('<main>/blocks  previewed</main>');
  expect(page.text).toMatch(
    new RegExp(
      `<aside id="preview-banner"[^>]*>Preview of mfe-blocks@${version}\\. <a href="/_preview/leave">`,
    ),
  );
  expect(page.headers).toMatchObject({
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': 'private, no-store, no-transform',
  });
  expect(page.headers.etag).toBeUndefined();
  expect((await ask(url, '/start', visitor)).text).toContain('<main>/start  one</main>');

  const other = await ask(url, '/blocks');
  expect(other.text).toContain('<main>/blocks  one</main>');
  expect(other.text).not.toContain('preview-banner');
  expect(other.headers['x-robots-tag']).toBeUndefined();
});

describe('a link alone', () => {
  test('shows no preview but a confirmation page', async () => {
    const { url } = await start();
    const { version } = addPreview();
    const asked = await ask(url, linkTo(linkId, '/start'));
    expect([asked.status, asked.headers['set-cookie']]).toEqual([200, undefined]);
    expect(asked.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'content-type': 'text/html; charset=utf-8',
      // The form's request must not leak the URL with its token, but must send the origin.
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
      'sandbox allow-forms',
    ]);
    // A script could have fetched this response.
    expect(asked.text).not.toContain('confirmation');
    expect(asked.text).toContain(`<h1>Preview of <span>mfe-blocks@</span><wbr><span>${version}</span></h1>`);
    expect(asked.text).toContain(
      'until <time datetime="2027-01-15T08:10:00.000Z">2027-01-15 08:10 UTC</time>',
    );
    expect(asked.text).toContain('<form method="post"><button>Show the preview</button></form>');
    expect(asked.text).not.toContain('<script');
    expect(asked.text).not.toContain(linkId);
    // The second click of a double click has nothing to press yet.
    expect(asked.text).toMatch(/visibility:hidden;animation:appear 0s 1s forwards/);
  });

  const origin = 'https://www.example.com';
  test.each([
    ['a person on the page itself', pressed, 303],
    ['a script of the site, without a click', { ...pressed, 'sec-fetch-user': undefined }, 403],
    ['a script of the site, by fetch', { ...pressed, 'sec-fetch-mode': 'cors' }, 403],
    ['a frame', { ...pressed, 'sec-fetch-dest': 'iframe' }, 403],
    ['a browser that says only where it comes from', { 'sec-fetch-site': 'same-origin' }, 403],
    ['a browser that names the origin only', { origin }, 403],
    ['something that says nothing', {}, 403],
  ])('a form that is sent by %s', async (_who, sent: Record<string, string | undefined>, status) => {
    const { url } = await start();
    addPreview();
    const headers = Object.fromEntries(
      Object.entries(sent).filter((header): header is [string, string] => header[1] !== undefined),
    );
    const answered = await press(url, linkTo(linkId), headers);
    expect([answered.status, answered.headers['set-cookie'] !== undefined]).toEqual([status, status === 303]);
    if (status === 403) expect(answered.text).toContain('<h1>This preview was not started here</h1>');
  });

  test.each([
    ['a click on a page of the site', 'same-origin', ''],
    ['a click on another site', 'cross-site', ''],
    ['a page that guesses', 'same-origin', 'confirmation=guessed'],
    ['the page of another link', 'cross-site', 'of another link'],
  ])('is not confirmed by %s', async (_what, from, sent) => {
    const { url } = await start();
    addPreview();
    const other = await ask(url, linkTo(linkId), { headers: pressed });
    const [, stolen = ''] = /value="([\w-]+)"/.exec(other.text) ?? [];
    harness.registry.previews.set('o'.repeat(43), harness.registry.previews.get(linkId)!);
    const body = sent === 'of another link' ? `confirmation=${stolen}` : sent;
    const headers = { ...pressed, 'sec-fetch-site': from };
    const answered = await ask(url, linkTo('o'.repeat(43)), { method: 'POST', headers, body });
    expect([answered.status, answered.headers['set-cookie']]).toEqual([403, undefined]);
  });

  test.each([
    ['http://www.example.com', 403],
    ['http://localhost:8080', 200],
    ['http://127.0.0.1:8080', 200],
  ])('at %s, explains that browsers would not keep its cookie', async (configured, status) => {
    const document = createSampleRelease(harness.store, { id: 'r1' });
    document.release.config.origin = configured;
    harness.registry.activate(document);
    const { url, edge } = await harness.start({ now: () => site.clock });
    await waitFor(() => expect(edge.release()).toBe('r1'));
    addPreview();
    const asked = await ask(url, linkTo(linkId));
    expect([asked.status, asked.text.includes('begins with http://')]).toEqual([status, status === 403]);
  });

  test('accepts POST only at its own URL', async () => {
    const { url } = await start();
    for (const target of ['/_preview/leave', '/blocks', '/nope', '/__site/state']) {
      const { status, headers } = await ask(url, target, { method: 'POST', headers: pressed });
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
    (await ask(url, `/assets/mfe-blocks/${findManifest(document, 'mfe-blocks').entry}`, visitor)).text,
  ).toBe('/* mfe-blocks previewed */');
});

test('a link can open another page of the site, and nothing else', async () => {
  const { url } = await start();
  addPreview();
  const leadsTo = async (path: string) => (await press(url, linkTo(linkId, path))).headers.location;
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
  ['over', linkId, () => harness.registry.previews.set(linkId, 'over'), 'has ended'],
])('a link that is %s is rejected with an explanation', async (_what, id, change, words) => {
  const { url } = await start();
  addPreview();
  change();
  for (const asked of [ask, press]) {
    const refused = await asked(url, linkTo(id));
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined]);
    expect(refused.text).toContain(words);
  }
  // The cookie does not bypass this.
  const page = await ask(url, '/blocks', { headers: { cookie: `__Host-Http-preview=${id}` } });
  expect(page.text).toContain('<main>/blocks  one</main>');
  if (id) expect(page.headers['set-cookie']).toEqual([noCookie]);
});

test('an invalid dev origin that the registry should have rejected shows nothing', async () => {
  const { url } = await start();
  for (const dev of ['https://evil.example', 'http://localhost:1; script-src *']) {
    addPreview({ version: null, dev });
    const refused = await press(url, linkTo(linkId));
    expect([refused.status, refused.headers['set-cookie']]).toEqual([504, undefined]);
  }
});

test("publicly cacheable root files contain nothing of a preview; the preview's own are private", async () => {
  const { url } = await start();
  const { document } = addPreview();
  const shell = findManifest(document, 'shell');
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

test('a preview takes precedence over a canary', async () => {
  const { url, edge } = await start();
  addPreview();
  harness.registry.startCanary(
    createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'canary' } }),
    50,
  );
  await waitFor(() => expect(edge.canaries()).toEqual(['r2']));
  const { headers } = await open(url);
  const page = await ask(url, '/blocks', { headers: { cookie: `${headers.cookie}; __Host-Http-bucket=0` } });
  expect(page.text).toContain('<main>/blocks  previewed</main>');
});
