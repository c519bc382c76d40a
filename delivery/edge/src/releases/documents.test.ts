import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { STATE_PATH, type TableAnswer } from '@site/contract';
import { ask } from '../testing/ask.ts';
import { bootDataIn, edgeHarnessForEachTest, findManifest } from '../testing/edge-harness.ts';
import { createSampleRelease, specifiedPages, specifiedRedirects } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';
import { readPreloads } from '@site/documents/testing/read-preloads';

const harness = edgeHarnessForEachTest();

describe('documents', () => {
  test('allow exactly their own inline code', async () => {
    const { url } = await harness.startServing();
    const { text, headers } = await ask(url, '/blocks');
    const csp = String(headers['content-security-policy']);
    const computeHashes = (pattern: RegExp) =>
      [...text.matchAll(pattern)].map(
        ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
      );
    const directive = (name: string) => csp.split('; ').find((part) => part.startsWith(`${name} `));
    const scripts = computeHashes(/<script>([^]*?)<\/script>/g);
    const styles = computeHashes(/<style[^>]*>([^]*?)<\/style>/g);
    // The theme script, and the one that starts the preloads.
    expect([scripts.length, styles.length]).toEqual([2, 2]);
    expect(directive('script-src')).toBe(`script-src 'self' ${scripts.join(' ')}`);
    expect(directive('style-src')).toBe(`style-src 'self' ${styles.join(' ')}`);
    expect(directive('connect-src')).toBe(
      "connect-src 'self' https://api.example.com https://forms.example.com",
    );
    expect(csp).toContain("require-trusted-types-for 'script'; trusted-types default");
    expect(csp).not.toContain('unsafe');
  });

  test('reference only files that are served, each with its integrity', async () => {
    const { url } = await harness.startServing();
    const { text } = await ask(url, '/blocks');
    const [, hash = '', entry = ''] = /integrity="([^"]+)" src="([^"]+)"/.exec(text) ?? [];
    const scripts = [{ href: entry, integrity: hash }, ...readPreloads(text)];
    expect(scripts).toHaveLength(3);
    for (const { href, integrity } of scripts) {
      const { status, body } = await ask(url, href);
      expect(status).toBe(200);
      expect(`sha384-${createHash('sha384').update(body).digest('base64')}`).toBe(integrity);
    }
  });

  test('have remotes, routes, redirects and fallbacks in their table', async () => {
    const { url, document, edge } = await harness.startServing();
    const next = createSampleRelease(harness.store, {
      id: 'r2',
      editions: { 'mfe-blocks': 'two' },
      lastGoodSource: document,
    });
    harness.registry.activate(next);
    await waitFor(() => expect(edge.release()).toBe('r2'));
    const boot = JSON.parse((await ask(url, STATE_PATH)).text) as TableAnswer;
    expect(boot.remotes.map(({ name }) => name)).toEqual(
      Object.keys(next.release.apps)
        .filter((app) => app !== 'shell')
        .sort(),
    );
    const before = findManifest(document, 'mfe-blocks');
    const blocks = boot.remotes.find(({ name }) => name === 'mfe-blocks');
    expect(blocks?.version).toBe(next.release.apps['mfe-blocks']);
    expect(blocks?.lastGood).toMatchObject({
      version: before.version,
      entry: `/assets/mfe-blocks/${before.entry}`,
    });
    expect((await ask(url, String(blocks?.lastGood?.entry))).status).toBe(200);
    expect(boot.remotes.find(({ name }) => name === 'mfe-partners')?.lastGood).toBeUndefined();
    expect(boot.routes.map(({ path }) => path)).toEqual(specifiedPages.toSorted());
    for (const { remote, paths = [] } of boot.routes) {
      expect(paths).not.toHaveLength(0);
      for (const path of paths) expect((await ask(url, `/assets/${remote}/${path}`)).status).toBe(200);
    }
    expect(boot.redirects).toEqual(expect.arrayContaining(specifiedRedirects));
  });

  test('without variants can be cached and revalidated', async () => {
    const { url } = await harness.startServing();
    const first = await ask(url, '/start', { headers: { 'accept-encoding': 'br' } });
    expect(first.headers).toMatchObject({
      'cache-control': 'no-cache, no-transform',
      'content-encoding': 'br',
      vary: 'Accept-Encoding',
    });
    const again = { headers: { 'accept-encoding': 'br', 'if-none-match': String(first.headers.etag) } };
    const second = await ask(url, '/start', again);
    expect([second.status, second.body.length, second.headers.etag]).toEqual([304, 0, first.headers.etag]);
  });

  test('are identical in every encoding', async () => {
    const { url } = await harness.startServing();
    const plain = await ask(url, '/start');
    const br = await ask(url, '/start', { headers: { 'accept-encoding': 'br' } });
    const gzip = await ask(url, '/start', { headers: { 'accept-encoding': 'gzip' } });
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
  });

  test('show each headline variant in half of the loads, and are not cached', async () => {
    let drawn = 0;
    const { url } = await harness.startServing({ random: () => (drawn++ % 100) / 100 });
    const seen: Record<string, number> = {};
    for (let load = 0; load < 200; load += 1) {
      const { headers, text } = await ask(url, '/home');
      expect([headers['cache-control'], headers.etag]).toEqual([
        'private, no-cache, no-transform',
        undefined,
      ]);
      const { headline = '' } = bootDataIn(text).variants;
      expect(text).toContain(`<main>/home headline=${headline} `);
      seen[headline] = (seen[headline] ?? 0) + 1;
    }
    expect(seen).toEqual({ a: 100, b: 100 });
  });

  test('show the chosen variant to everyone, and are cached then', async () => {
    const document = createSampleRelease(harness.store, { id: 'r1' });
    document.release.config.chosenVariants = { '/home': { headline: 'b' }, '/nowhere': { headline: 'a' } };
    harness.registry.activate(document);
    const { url, edge } = await harness.start({ random: () => 0 });
    await waitFor(() => expect(edge.release()).toBe('r1'));
    const { headers, text } = await ask(url, '/home');
    expect(text).toContain('<main>/home headline=b ');
    expect(headers['cache-control']).not.toContain('private');
    const { variants, routes } = bootDataIn(text);
    expect(variants).toEqual({ headline: 'b' });
    // Navigations in the browser draw from the same values, and count nothing.
    const home = routes.find(({ path }) => path === '/home');
    expect(home).toMatchObject({ variants: { headline: ['b'] } });
    expect(home).not.toHaveProperty('outcomes');
  });

  test('draw from all values if the chosen one is gone', async () => {
    const document = createSampleRelease(harness.store, { id: 'r1' });
    document.release.config.chosenVariants = { '/home': { headline: 'z' } };
    harness.registry.activate(document);
    const { url, edge } = await harness.start({ random: () => 0.99 });
    await waitFor(() => expect(edge.release()).toBe('r1'));
    expect((await ask(url, '/home')).text).toContain('<main>/home headline=b ');
  });

  test('leave a page to the shell if the release has no rendered one', async () => {
    const document = createSampleRelease(harness.store, { id: 'r1' });
    delete document.rendered['/start'];
    harness.registry.activate(document);
    const { url, edge } = await harness.start();
    await waitFor(() => expect(edge.release()).toBe('r1'));
    const { text } = await ask(url, '/start');
    expect(text).toContain('<div id="root"></div>');
    expect(bootDataIn(text).rendered).toBeNull();
  });
});

test("use the page's preview image, else the site's", async () => {
  const document = createSampleRelease(harness.store, { id: 'r1' });
  const card = { file: 'cards/start.0123456789ab.png', text: 'Start here' };
  const marketing = findManifest(document, 'mfe-marketing');
  const shell = findManifest(document, 'shell');
  if (marketing.kind !== 'remote' || shell.kind !== 'shell') throw new Error('mixed up');
  marketing.pages = marketing.pages.map((page) => (page.path === '/start' ? { ...page, card } : page));
  shell.document.rootFiles['card.png'] = shell.document.rootFiles['favicon.svg'] ?? '';
  harness.registry.activate(document);
  const { url, edge } = await harness.start();
  await waitFor(() => expect(edge.release()).toBe('r1'));

  const readImage = async (path: string) =>
    /<meta property="og:image" content="([^"]+)"/.exec((await ask(url, path)).text)?.[1];
  expect(await readImage('/start')).toBe(
    'https://www.example.com/assets/mfe-marketing/cards/start.0123456789ab.png',
  );
  expect(await readImage('/support')).toBe('https://www.example.com/card.png');
});
