import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ReleaseDocument } from '@site/contract';
import { createEdge } from './create-edge.ts';
import { ask } from './testing/ask.ts';
import { bootDataIn, createEdgeHarness, manifestOf, type EdgeHarness } from './testing/edge-harness.ts';
import { fakeToken, type FakeRegistry } from './testing/fake-registry.ts';
import type { MemoryStore } from './testing/memory-store.ts';
import { createSampleRelease, specifiedPages, specifiedRedirects } from './testing/sample-release.ts';
import { until } from './testing/until.ts';

// On a busy machine the sockets and compressors in here take a while.
jest.setTimeout(30_000);

let harness: EdgeHarness;
let registry: FakeRegistry;
let store: MemoryStore;
let logged: EdgeHarness['logged'];

beforeEach(async () => {
  harness = await createEdgeHarness();
  ({ registry, store, logged } = harness);
});
afterEach(() => harness.close());

function assetOf(document: ReleaseDocument, app: string, extension: string) {
  const file = manifestOf(document, app).assets.find(({ path }) => path.endsWith(`.${extension}`));
  if (!file) throw new Error(`no .${extension} of ${app}`);
  return { ...file, url: `/assets/${app}/${file.path}` };
}

describe('routes', () => {
  test('answers every page of the specification with its own rendered document', async () => {
    const { url } = await harness.startServing();
    for (const path of specifiedPages) {
      const { status, headers, text } = await ask(url, path);
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(text).toContain(`<title>${path}</title>`);
      expect(text).toContain(`<div id="root"><main>${path} `);
      expect(bootDataIn(text)).toMatchObject({ release: 'r1', rendered: path });
    }
  });

  test('answers every redirect of the specification, keeping the query', async () => {
    const { url } = await harness.startServing();
    for (const { from, to } of specifiedRedirects) {
      if (from === '*') continue;
      const { status, headers } = await ask(url, `${from}?utm_source=x&b=%20`);
      expect([from, status, headers.location]).toEqual([
        from,
        from === '/' ? 302 : 308,
        `${to}?utm_source=x&b=%20`,
      ]);
      expect(headers['cache-control']).toBe(from === '/' ? 'no-store' : 'no-cache');
    }
  });

  test('reads the request line as it came, without tidying it up', async () => {
    const { url } = await harness.startServing();
    const answers = {
      '/%': 400,
      '/assets/shell/../../../../etc/passwd': 404,
      '/assets/shell/..%2f..%2fetc%2fpasswd': 404,
      '//evil.example/start/': 302,
      'http://evil.example/start': 200,
    };
    for (const [target, status] of Object.entries(answers)) {
      const told = await ask(url, target);
      expect([target, told.status]).toEqual([target, status]);
      expect(told.headers.location ?? '/home').toBe('/home');
    }
  });

  test('never serves a server bundle', async () => {
    const { url, document } = await harness.startServing();
    const { server } = manifestOf(document, 'mfe-blocks');
    expect((await ask(url, `/assets/mfe-blocks/${server.path}`)).status).toBe(404);
  });

  test('refuses other methods and says which are allowed', async () => {
    const { url } = await harness.startServing();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const { status, headers } = await ask(url, '/home', { method });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  test('answers HEAD like GET, without the body', async () => {
    const { url, document } = await harness.startServing();
    for (const target of ['/start', '/nope', '/nope.png', assetOf(document, 'shell', 'js').url]) {
      const get = await ask(url, target);
      const head = await ask(url, target, { method: 'HEAD' });
      expect(head.body).toHaveLength(0);
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
      expect(head.status).toBe(get.status);
    }
  });

  test('serves the files that belong at the root', async () => {
    const { url } = await harness.startServing();
    const icon = await ask(url, '/favicon.svg');
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(icon.headers['cross-origin-resource-policy']).toBe('cross-origin');
    const security = await ask(url, '/.well-known/security.txt');
    expect(security.text).toMatch(
      /^Contact: .+\nCanonical: https:\/\/www\.example\.com\/.+\nExpires: 2027-01-01T/,
    );
  });

  test('serves the texts that follow from the release', async () => {
    const { url } = await harness.startServing();
    const robots = await ask(url, '/robots.txt');
    expect([robots.status, robots.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(robots.text).toContain('Sitemap: https://www.example.com/sitemap.xml');
    const sitemap = await ask(url, '/sitemap.xml');
    expect(sitemap.headers['content-type']).toBe('application/xml; charset=utf-8');
    const listed = [...sitemap.text.matchAll(/<loc>https:\/\/www\.example\.com([^<]*)</g)].map(
      ([, path]) => path,
    );
    expect(listed).toEqual(specifiedPages.toSorted());
    expect((await ask(url, '/llms.txt')).text).toContain('[/start](https://www.example.com/start)');
  });

  test('asks search engines in every answer to stay away from a site that is not production', async () => {
    const { url, document } = await harness.startServing();
    expect((await ask(url, '/start')).headers['x-robots-tag']).toBeUndefined();
    const { config } = document.release;
    const release = {
      ...document.release,
      id: 'r2',
      config: { ...config, mode: 'staging' as const, origin: 'https://staging.example.com' },
    };
    registry.activate({ ...document, release });
    await until(async () => (await ask(url, '/__site/state')).text.includes('"r2"'));
    for (const target of ['/start', '/', '/nope.png', '/sitemap.xml', assetOf(document, 'shell', 'js').url]) {
      const { headers } = await ask(url, target);
      expect({ target, robots: headers['x-robots-tag'] }).toEqual({ target, robots: 'noindex, nofollow' });
    }
    expect((await ask(url, '/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n');
  });

  test('survives requests that are no HTTP', async () => {
    const { url } = await harness.startServing();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.resume();
    socket.end('GET /\u0000 \r\n\r\n');
    await once(socket, 'close');
    expect((await ask(url, '/start')).status).toBe(200);
  });
});

describe('documents', () => {
  test('allows exactly the inline code that stands in the document', async () => {
    const { url } = await harness.startServing();
    const { text, headers } = await ask(url, '/blocks');
    const csp = String(headers['content-security-policy']);
    const hashesOf = (pattern: RegExp) =>
      [...text.matchAll(pattern)].map(
        ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
      );
    const directive = (name: string) => csp.split('; ').find((part) => part.startsWith(`${name} `));
    const scripts = hashesOf(/<script>([^]*?)<\/script>/g);
    const styles = hashesOf(/<style[^>]*>([^]*?)<\/style>/g);
    expect([scripts.length, styles.length]).toEqual([1, 2]);
    expect(directive('script-src')).toBe(`script-src 'self' ${scripts.join(' ')}`);
    expect(directive('style-src')).toBe(`style-src 'self' ${styles.join(' ')}`);
    expect(directive('connect-src')).toBe(
      "connect-src 'self' https://api.example.com https://forms.example.com",
    );
    expect(csp).toContain("require-trusted-types-for 'script'; trusted-types default");
    expect(csp).not.toContain('unsafe');
  });

  test('names only files that are served, each with the integrity that it has', async () => {
    const { url } = await harness.startServing();
    const { text } = await ask(url, '/blocks');
    const tags = [...text.matchAll(/integrity="([^"]+)" (?:href|src)="([^"]+)"/g)];
    expect(tags).toHaveLength(3);
    for (const [, integrity, href = ''] of tags) {
      const { status, body } = await ask(url, href);
      expect(status).toBe(200);
      expect(`sha384-${createHash('sha384').update(body).digest('base64')}`).toBe(integrity);
    }
  });

  test('tells the shell about remotes, routes, redirects and what to fall back to', async () => {
    const { url, document, edge } = await harness.startServing();
    const next = createSampleRelease(store, {
      id: 'r2',
      editions: { 'mfe-blocks': 'two' },
      lastGoodOf: document,
    });
    registry.activate(next);
    await until(() => edge.release() === 'r2');
    const boot = bootDataIn((await ask(url, '/blocks/auth')).text);
    expect(boot.remotes.map(({ name }) => name)).toEqual(
      Object.keys(next.release.apps).filter((app) => app !== 'shell'),
    );
    const before = manifestOf(document, 'mfe-blocks');
    const blocks = boot.remotes.find(({ name }) => name === 'mfe-blocks');
    expect(blocks?.version).toBe(next.release.apps['mfe-blocks']);
    expect(blocks?.lastGood).toMatchObject({
      version: before.version,
      entry: `/assets/mfe-blocks/${before.entry}`,
    });
    expect((await ask(url, String(blocks?.lastGood?.entry))).status).toBe(200);
    expect(boot.remotes.find(({ name }) => name === 'mfe-partners')?.lastGood).toBeUndefined();
    expect(boot.routes.map(({ path }) => path)).toEqual(specifiedPages);
    expect(boot.redirects).toEqual(expect.arrayContaining(specifiedRedirects));
  });

  test('lets a page without variants be kept and revalidated', async () => {
    const { url } = await harness.startServing();
    const first = await ask(url, '/start', { headers: { 'accept-encoding': 'br' } });
    expect(first.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-encoding': 'br',
      vary: 'Accept-Encoding',
    });
    const again = { headers: { 'accept-encoding': 'br', 'if-none-match': String(first.headers.etag) } };
    const second = await ask(url, '/start', again);
    expect([second.status, second.body.length, second.headers.etag]).toEqual([304, 0, first.headers.etag]);
  });

  test('sends the same document in every encoding', async () => {
    const { url } = await harness.startServing();
    const plain = await ask(url, '/start');
    const br = await ask(url, '/start', { headers: { 'accept-encoding': 'br' } });
    const gzip = await ask(url, '/start', { headers: { 'accept-encoding': 'gzip' } });
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
  });

  test('draws each headline for half of the loads, and lets nobody keep a drawn page', async () => {
    let drawn = 0;
    const { url } = await harness.startServing({ random: () => (drawn++ % 100) / 100 });
    const seen: Record<string, number> = {};
    for (let load = 0; load < 200; load += 1) {
      const { headers, text } = await ask(url, '/home');
      expect([headers['cache-control'], headers.etag]).toEqual(['private, no-store', undefined]);
      const { headline = '' } = bootDataIn(text).variants;
      expect(text).toContain(`<main>/home headline=${headline} `);
      seen[headline] = (seen[headline] ?? 0) + 1;
    }
    expect(seen).toEqual({ a: 100, b: 100 });
  });

  test('leaves a page to the shell when the release has no rendered one', async () => {
    const document = createSampleRelease(store, { id: 'r1' });
    delete document.rendered['/start'];
    registry.activate(document);
    const { url, edge } = await harness.start();
    await until(() => edge.release() === 'r1');
    const { text } = await ask(url, '/start');
    expect(text).toContain('<div id="root"></div>');
    expect(bootDataIn(text).rendered).toBeNull();
  });
});

test('sends the security headers with everything', async () => {
  const { url, document } = await harness.startServing();
  const targets = [
    '/start',
    '/',
    '/nope.png',
    '/%',
    '/__site/ready',
    '/__site/state',
    assetOf(document, 'shell', 'js').url,
  ];
  for (const target of targets) {
    const { headers } = await ask(url, target);
    expect(headers).toMatchObject({
      'strict-transport-security': expect.stringContaining('max-age=') as string,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': expect.stringContaining('camera=()') as string,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; .*frame-ancestors 'none'/,
      ) as string,
    });
  }
});

test('names the preview image of the page, else the one of the site', async () => {
  const document = createSampleRelease(store, { id: 'r1' });
  const card = { file: 'cards/start.0123456789ab.png', text: 'Start here' };
  const marketing = manifestOf(document, 'mfe-marketing');
  const shell = manifestOf(document, 'shell');
  if (marketing.kind !== 'remote' || shell.kind !== 'shell') throw new Error('mixed up');
  marketing.pages = marketing.pages.map((page) => (page.path === '/start' ? { ...page, card } : page));
  shell.document.rootFiles['card.png'] = shell.document.rootFiles['favicon.svg'] ?? '';
  registry.activate(document);
  const { url, edge } = await harness.start();
  await until(() => edge.release() === 'r1');

  const imageOf = async (path: string) =>
    /<meta property="og:image" content="([^"]+)"/.exec((await ask(url, path)).text)?.[1];
  expect(await imageOf('/start')).toBe(
    'https://www.example.com/assets/mfe-marketing/cards/start.0123456789ab.png',
  );
  expect(await imageOf('/support')).toBe('https://www.example.com/card.png');
});

describe('assets', () => {
  test('are sent compressed, typed and for good', async () => {
    const { url, document } = await harness.startServing();
    const script = assetOf(document, 'mfe-blocks', 'js');
    const pages = manifestOf(document, 'mfe-blocks').assets[1]?.path;
    const { headers, body } = await ask(url, `/assets/mfe-blocks/${pages}`, {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      vary: 'Accept-Encoding',
      'content-length': String(body.length),
    });
    expect(brotliDecompressSync(body).toString()).toContain('mfe-blocks one');
    const again = await ask(url, script.url, {
      headers: { 'if-none-match': String((await ask(url, script.url)).headers.etag) },
    });
    expect(again.status).toBe(304);
  });

  test('are sent plain when a compressed copy in the store is damaged', async () => {
    const document = createSampleRelease(store, { id: 'r1' });
    const script = assetOf(document, 'shell', 'js');
    store.corruptEncodings(script.integrity);
    registry.activate(document);
    const { url, edge } = await harness.start();
    await until(() => edge.release() === 'r1');
    const told = await ask(url, script.url, { headers: { 'accept-encoding': 'br' } });
    expect([told.status, told.headers['content-encoding'], told.text]).toEqual([
      200,
      undefined,
      'console.log("shell");'.repeat(20),
    ]);
  });

  test('of releases served before stay, even when registry and store are away', async () => {
    const { url, edge, document } = await harness.startServing();
    registry.activate(createSampleRelease(store, { id: 'r2', edition: 'two' }));
    await until(() => edge.release() === 'r2');
    await registry.goAway();
    store.goAway();
    expect((await ask(url, assetOf(document, 'mfe-blocks', 'js').url)).text).toBe('/* mfe-blocks one */');
  });

  test('of releases that this edge never saw are asked of the registry, once', async () => {
    const { url } = await harness.startServing();
    registry.assets.set('mfe-blocks/old.abc.js', store.add('old()'));
    for (let time = 0; time < 2; time += 1) {
      const { status, text, headers } = await ask(url, '/assets/mfe-blocks/old.abc.js');
      expect([status, text, headers['cache-control']]).toEqual([
        200,
        'old()',
        'public, max-age=31536000, immutable',
      ]);
    }
    expect(registry.requests.filter((path) => path.endsWith('old.abc.js'))).toHaveLength(1);
    await registry.goAway();
    const unknown = await ask(url, '/assets/mfe-blocks/other.abc.js');
    expect([unknown.status, unknown.headers['retry-after']]).toEqual([503, '5']);
  });

  test('with names that no build can have never reach the registry', async () => {
    const { url } = await harness.startServing();
    for (const target of [
      '/assets/shell/../x.js',
      '/assets/shell/.hidden.js',
      '/assets/Other/x.js',
      '/assets/shell/a b',
    ]) {
      expect((await ask(url, encodeURI(target))).status).toBe(404);
    }
    expect(registry.requests.filter((path) => path.startsWith('/v1/assets/'))).toEqual([]);
  });

  test('are answered to an open tab while another address guesses 900 names that the registry never answers', async () => {
    const { url } = await harness.startServing({ trustProxy: 1 });
    registry.assets.set('mfe-blocks/old.abc.js', store.add('old()'));
    const from = (address: string) => ({ headers: { 'x-forwarded-for': `192.0.2.1, ${address}` } });
    const flood = Array.from({ length: 900 }, (_, index) =>
      ask(url, `/assets/mfe-blocks/never-answered-${index}.js`, from('198.51.100.1')).catch(() => null),
    );
    await until(() => registry.requests.filter((path) => path.includes('never-answered')).length >= 8);
    const told = await ask(url, '/assets/mfe-blocks/old.abc.js', from('203.0.113.1'));
    expect([told.status, told.text]).toEqual([200, 'old()']);
    expect(registry.requests.filter((path) => path.includes('never-answered'))).toHaveLength(8);
    await registry.goAway();
    await Promise.all(flood);
  });

  test('that were collected are gone, and no trouble, as long as the store answers', async () => {
    const { url } = await harness.startServing();
    const integrity = store.add('old()');
    await store.delete(integrity);
    registry.assets.set('mfe-blocks/old.abc.js', integrity);
    logged.length = 0;
    const { status, headers } = await ask(url, '/assets/mfe-blocks/old.abc.js');
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([404, undefined, 'no-store']);
    expect(logged).toEqual([]);
    store.goAway();
    registry.assets.set('mfe-blocks/other.abc.js', integrity);
    expect((await ask(url, '/assets/mfe-blocks/other.abc.js')).status).toBe(503);
  });

  test('that are damaged in the store are not served', async () => {
    const { url } = await harness.startServing();
    const integrity = store.add('old()');
    registry.assets.set('mfe-blocks/old.abc.js', integrity);
    store.corrupt(integrity);
    expect((await ask(url, '/assets/mfe-blocks/old.abc.js')).status).toBe(503);
    expect(logged.at(-1)?.problem).toContain('is damaged');
  });
});

describe('releases', () => {
  test('before the first one a visitor is asked to wait', async () => {
    const { url, opsUrl, edge } = await harness.start();
    const told = await ask(url, '/home');
    expect([told.status, told.headers['retry-after'], told.headers['cache-control']]).toEqual([
      503,
      '5',
      'no-store',
    ]);
    expect((await ask(opsUrl, '/readyz')).status).toBe(503);
    expect((await ask(url, '/__site/ready')).status).toBe(503);
    expect((await ask(opsUrl, '/healthz')).status).toBe(200);
    expect(JSON.parse((await ask(url, '/__site/state')).text)).toEqual({ release: null, revoked: [] });
    registry.activate(createSampleRelease(store, { id: 'r1' }));
    await until(() => edge.release() === 'r1');
    expect((await ask(url, '/home')).status).toBe(200);
    await until(async () => (await ask(opsUrl, '/readyz')).status === 200);
    expect((await ask(url, '/__site/ready')).status).toBe(200);
  });

  test('are followed by an event, and the registry is told', async () => {
    const { url, edge } = await harness.startServing();
    registry.activate(createSampleRelease(store, { id: 'r2', edition: 'two' }), { revoked: ['r1'] });
    await until(() => edge.release() === 'r2');
    expect((await ask(url, '/blocks')).text).toContain('<main>/blocks  two</main>');
    const state = await ask(url, '/__site/state');
    expect(state.headers['cache-control']).toBe('no-store');
    expect(JSON.parse(state.text)).toEqual({ release: 'r2', revoked: ['r1'] });
    await until(() => registry.heartbeats.length === 2);
    expect(registry.heartbeats).toEqual([
      { edge: 'edge-1', release: 'r1', candidate: null },
      { edge: 'edge-1', release: 'r2', candidate: null },
    ]);
  });

  test('are followed by polling when an event is lost', async () => {
    const { edge } = await harness.startServing({ pollMs: 20 });
    registry.activate(createSampleRelease(store, { id: 'r2', edition: 'two' }), { silently: true });
    await until(() => edge.release() === 'r2');
    expect(edge.release()).toBe('r2');
  });

  test('are told to the registry again every five seconds, however seldom it is polled', async () => {
    const intervals = jest.spyOn(globalThis, 'setInterval');
    await harness.startServing({ pollMs: 60_000 });
    await until(() => registry.heartbeats.length === 1);
    for (const [again, ms] of intervals.mock.calls) if (ms === 5_000) again();
    await until(() => registry.heartbeats.length === 2);
    expect(registry.heartbeats.map(({ release }) => release)).toEqual(['r1', 'r1']);
    intervals.mockRestore();
  });

  test('are nobody’s to wait for once the edge has stopped: it says so, and stops all the same when that is lost', async () => {
    const first = await harness.startServing();
    expect(registry.goodbyes).toEqual([]);
    await first.stop();
    expect(registry.goodbyes).toEqual(['edge-1']);

    const second = await harness.start();
    await until(() => second.edge.release() === 'r1');
    await registry.goAway();
    await second.stop();
    expect(registry.goodbyes).toEqual(['edge-1']);
  });

  test('that were taken back while they were loaded are given up at once, and never served', async () => {
    let letThrough!: () => void;
    const held = new Promise<void>((resolve) => (letThrough = resolve));
    const bad = createSampleRelease(store, { id: 'r2', edition: 'bad' });
    const slow = assetOf(bad, 'mfe-blocks', 'js').integrity;
    const get = async (integrity: string) => {
      const bytes = await store.get(integrity);
      if (integrity === slow) await held;
      return bytes;
    };
    const { edge } = await harness.startServing({ store: { ...store, get } });
    registry.activate(bad);
    await until(() => store.reads.has(slow));
    registry.activate(createSampleRelease(store, { id: 'r3', edition: 'good' }), { revoked: ['r2'] });
    await until(() => edge.release() === 'r3');
    letThrough();
    await until(() => registry.heartbeats.some(({ release }) => release === 'r3'));
    expect(registry.heartbeats.map(({ release }) => release)).toEqual(['r1', 'r3']);
    expect(logged.map(({ message }) => message)).not.toContain('cannot serve the release');
  });

  test('that change one remote read only what that remote changed', async () => {
    const { edge, document } = await harness.startServing();
    store.reads.clear();
    const next = createSampleRelease(store, { id: 'r2', editions: { 'mfe-blocks': 'two' } });
    registry.activate(next);
    await until(() => edge.release() === 'r2');
    const readAgain = Object.values(document.manifests)
      .flatMap(({ assets }) => assets)
      .filter(({ integrity }) => store.reads.has(integrity));
    expect(readAgain).toEqual([]);
    expect(store.reads.has(assetOf(next, 'mfe-blocks', 'js').integrity)).toBe(true);
  });

  test('are exchanged without a request that fails or mixes two of them', async () => {
    const { url, edge } = await harness.startServing();
    const releases = Array.from({ length: 6 }, (_, index) =>
      createSampleRelease(store, { id: `r${index + 2}`, edition: `edition-${index + 2}` }),
    );
    let isDone = false;
    let requests = 0;
    const load = async () => {
      while (!isDone) {
        const { status, text } = await ask(url, '/blocks');
        expect(status).toBe(200);
        const { release } = bootDataIn(text);
        const edition = release === 'r1' ? 'one' : `edition-${release.slice(1)}`;
        expect(text).toContain(`<main>/blocks  ${edition}</main>`);
        const [, script = ''] = /<link rel="preload" as="script"[^>]* href="([^"]+)">/.exec(text) ?? [];
        const asset = await ask(url, script);
        expect([asset.status, asset.text]).toEqual([200, `/* mfe-blocks ${edition} */`]);
        requests += 1;
      }
    };
    const visitors = [load(), load(), load()];
    for (const release of releases) {
      const before = requests;
      registry.activate(release);
      await until(() => edge.release() === release.release.id && requests > before);
    }
    isDone = true;
    await Promise.all(visitors);
  });

  test.each(['a script', 'a rendered page'])(
    'with %s that is damaged in the store are refused',
    async (what) => {
      const { url, opsUrl, edge } = await harness.startServing({ pollMs: 20 });
      const bad = createSampleRelease(store, { id: 'r2', edition: 'two' });
      const integrity =
        what === 'a script'
          ? assetOf(bad, 'mfe-blocks', 'js').integrity
          : String(bad.rendered['/blocks']?.['']);
      store.corrupt(integrity);
      registry.activate(bad, { revoked: ['r7'] });
      await until(() => logged.some(({ message }) => message === 'cannot serve the release'));
      expect(logged.at(-1)?.problem).toContain('is damaged');
      expect(edge.release()).toBe('r1');
      expect((await ask(url, '/blocks')).text).toContain('<main>/blocks  one</main>');
      expect(JSON.parse((await ask(url, '/__site/state')).text)).toEqual({ release: 'r1', revoked: ['r7'] });
      expect((await ask(opsUrl, '/metrics')).text).toMatch(/site_edge_release_refusals_total [1-9]/);

      registry.activate(createSampleRelease(store, { id: 'r3', edition: 'three' }));
      await until(() => edge.release() === 'r3');
      expect(logged.filter(({ message }) => message === 'cannot serve the release')).toHaveLength(1);
    },
  );

  test('stay while the registry is away, and are followed again when it is back', async () => {
    const { url, edge } = await harness.startServing({ pollMs: 20 });
    await registry.goAway();
    await until(() => logged.some(({ message }) => message.startsWith('the registry is away')));
    expect((await ask(url, '/blocks')).status).toBe(200);
    registry.activate(createSampleRelease(store, { id: 'r2', edition: 'two' }));
    await registry.comeBack();
    await until(() => edge.release() === 'r2');
    expect(logged.map(({ message }) => message)).toContain('the registry is back');
  });

  test('are remembered over a restart without registry, with the files of those before', async () => {
    const first = await harness.startServing();
    registry.activate(createSampleRelease(store, { id: 'r2', edition: 'two' }), { revoked: ['r1'] });
    await until(() => first.edge.release() === 'r2');
    await first.stop();
    await registry.goAway();

    const second = await harness.start();
    await until(() => second.edge.release() === 'r2');
    expect((await ask(second.url, '/blocks')).text).toContain('<main>/blocks  two</main>');
    expect((await ask(second.url, assetOf(first.document, 'mfe-blocks', 'js').url)).status).toBe(200);
    expect(JSON.parse((await ask(second.url, '/__site/state')).text)).toEqual({
      release: 'r2',
      revoked: ['r1'],
    });
  });

  test('that the disk remembers take no traffic before the registry was asked for newer ones', async () => {
    const first = await harness.startServing();
    await first.stop();
    registry.activate(createSampleRelease(store, { id: 'r2', edition: 'two' }));
    const second = await harness.start();
    await until(async () => (await ask(second.opsUrl, '/readyz')).status === 200);
    expect(second.edge.release()).toBe('r2');

    await second.stop();
    await registry.goAway();
    const alone = await harness.start();
    await until(async () => (await ask(alone.opsUrl, '/readyz')).status === 200);
    expect(alone.edge.release()).toBe('r2');
  });

  describe('that the disk remembers', () => {
    const main = async (url: string) => {
      const { status, text } = await ask(url, '/blocks');
      return [status, /<main>\/blocks {2}(\w+)</.exec(text)?.[1] ?? null];
    };

    test('are shown to nobody before the registry was asked: what was rolled back meanwhile never is', async () => {
      const first = await harness.startServing();
      registry.activate(createSampleRelease(store, { id: 'r2', edition: 'bad' }));
      await until(() => first.edge.release() === 'r2');
      await first.stop();
      registry.activate(createSampleRelease(store, { id: 'r3', edition: 'good' }), { revoked: ['r2'] });
      await registry.goAway();

      const { url, opsUrl, edge } = await harness.start({ pollMs: 20, restartPatienceMs: 600_000 });
      await until(() => logged.some(({ message }) => message.startsWith('the registry is away')));
      expect([edge.release(), await main(url)]).toEqual([null, [503, null]]);
      const { headers, text } = await ask(url, '/home');
      // A page that fits a phone, comes by itself and may have its look.
      expect(text).toMatch(/http-equiv="refresh" content="5">.*name="viewport".*<h1>One moment<\/h1>/);
      const [, style = ''] = /<style>(.*?)<\/style>/.exec(text) ?? [];
      expect(headers['content-security-policy']).toContain(
        `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      );
      expect((await ask(opsUrl, '/readyz')).status).toBe(503);
      const reported = registry.heartbeats.length;
      await registry.comeBack();
      await until(() => edge.release() !== null);
      expect(await main(url)).toEqual([200, 'good']);
      await until(() => registry.heartbeats.length > reported);
      expect(registry.heartbeats.slice(reported).map(({ release }) => release)).not.toContain('r2');
    });

    test('are shown when the registry stays away', async () => {
      const first = await harness.startServing();
      await first.stop();
      await registry.goAway();
      const { url, edge } = await harness.start({ restartPatienceMs: 1 });
      await until(() => edge.release() === 'r1');
      expect(await main(url)).toEqual([200, 'one']);
    });

    test('are not shown when they were taken back and what took their place cannot be loaded', async () => {
      const first = await harness.startServing();
      await first.stop();
      const good = createSampleRelease(store, { id: 'r2', edition: 'good' });
      const { assets } = manifestOf(good, 'mfe-blocks');
      for (const { integrity } of assets) store.corrupt(integrity);
      registry.activate(good, { revoked: ['r1'] });
      const { url, edge } = await harness.start({ pollMs: 20, restartPatienceMs: 600_000 });
      await until(() => logged.some(({ message }) => message === 'cannot serve the release'));
      expect([edge.release(), await main(url)]).toEqual([null, [503, null]]);
    });
  });

  test('that the disk remembers wrongly are fetched anew', async () => {
    await writeFile(join(harness.cacheDir, 'production.json'), '{"half": ');
    const { edge } = await harness.startServing();
    expect(logged[0]?.message).toBe('cannot serve the release remembered on disk');
    expect(edge.release()).toBe('r1');
  });

  test('are written to the disk whole', async () => {
    const { edge, stop, document } = await harness.startServing();
    await stop();
    const kept = JSON.parse(await readFile(join(harness.cacheDir, 'production.json'), 'utf8')) as {
      current: unknown;
    };
    expect(kept.current).toEqual(document);
    expect(edge.release()).toBe('r1');
  });
});

test('counts what it answered', async () => {
  const { url, opsUrl } = await harness.startServing();
  await ask(url, '/start');
  await ask(url, '/nope.png');
  const { text } = await ask(opsUrl, '/metrics');
  expect(text).toContain('site_edge_responses_total{kind="document",status="200"} 1');
  expect(text).toContain('site_edge_responses_total{kind="not-found",status="404"} 1');
  expect(text).toContain('site_edge_release{release="r1"} 1');
});

test('refuses a port that is taken', async () => {
  const { url } = await harness.startServing();
  const other = createEdge({
    registryUrl: registry.url,
    token: fakeToken,
    store,
    channel: 'production',
    cacheDir: harness.cacheDir,
    id: 'x',
  });
  await expect(other.start({ port: Number(new URL(url).port), host: '127.0.0.1' })).rejects.toMatchObject({
    message: expect.stringContaining('is in use') as string,
  });
});

test('closes while visitors keep their connections open', async () => {
  const { url, stop } = await harness.startServing();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const ended = once(socket, 'close');
  socket.write('GET /start HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  await stop();
  socket.resume();
  await ended;
  await expect(ask(url, '/start')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

describe('the port of operators', () => {
  test('alone tells health and counters: visitors get "not found" there, whatever is asked', async () => {
    const { url, opsUrl } = await harness.startServing();
    for (const target of ['/healthz', '/readyz', '/metrics', '/metrics/', '/%6detrics', '/metrics?x=1']) {
      const told = await ask(url, target);
      expect([target, told.status === 404 || told.status === 302]).toEqual([target, true]);
      expect(told.text).not.toContain('site_edge_');
    }
    expect((await ask(opsUrl, '/metrics?x=1')).text).toContain('site_edge_release{release="r1"} 1');
    for (const target of ['/', '/start', '/__site/state', '/constructor'])
      expect((await ask(opsUrl, target)).status).toBe(404);
  });

  test('that is taken is named with its setting, and the edge does not go on without it', async () => {
    const { opsUrl } = await harness.startServing();
    const other = createEdge({
      registryUrl: registry.url,
      token: fakeToken,
      store,
      channel: 'production',
      cacheDir: harness.cacheDir,
      id: 'x',
    });
    const host = '127.0.0.1';
    await expect(
      other.start({ port: 0, host, ops: { port: Number(new URL(opsUrl).port), host } }),
    ).rejects.toMatchObject({ message: expect.stringMatching(/is in use.*OPS_PORT/) as string });
  });
});
