import { connect } from 'node:net';
import { ask } from '../testing/ask.ts';
import { sampleAsset, bootDataIn, edgeHarnessForEachTest, findManifest } from '../testing/edge-harness.ts';
import { specifiedPages, specifiedRedirects } from '../testing/sample-release.ts';
import { nextEvent, waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();

describe('routes', () => {
  test('serves every page of the specification with its own prerendered document', async () => {
    const { url } = await harness.startServing();
    for (const path of specifiedPages) {
      const { status, headers, text } = await ask(url, path);
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(text).toContain(`<title>${path}</title>`);
      expect(text).toMatch(new RegExp(`<div id="root" data-sent="[\\d ]+"><main>${path} `));
      expect(bootDataIn(text)).toMatchObject({ routes: [{ path }], rendered: path });
    }
  });

  test('serves every redirect of the specification, keeping the query', async () => {
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

  test('redirects a differently cased page or redirect to the page, and no other path', async () => {
    const { url } = await harness.startServing();
    for (const [target, status, location] of [
      ['/START', 308, '/start'],
      ['/Start/?a=B', 308, '/start?a=B'],
      ['/%53tart', 308, '/start'],
      ['/Company', 308, '/about-us'],
      ['/No-Such-Page', 302, '/home'],
      ['/Favicon.svg', 404, undefined],
    ] as const) {
      const told = await ask(url, target);
      expect([target, told.status, told.headers.location]).toEqual([target, status, location]);
    }
  });

  test('reads the request line as received, without normalizing it', async () => {
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
    const { server } = findManifest(document, 'mfe-blocks');
    expect((await ask(url, `/assets/mfe-blocks/${server.path}`)).status).toBe(404);
  });

  test('rejects other methods with the allowed ones', async () => {
    const { url } = await harness.startServing();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const { status, headers } = await ask(url, '/home', { method });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  test('responds to HEAD like to GET, without the body', async () => {
    const { url, document } = await harness.startServing();
    for (const target of ['/start', '/nope', '/nope.png', sampleAsset(document, 'shell', 'js').url]) {
      const get = await ask(url, target);
      const head = await ask(url, target, { method: 'HEAD' });
      expect(head.body).toHaveLength(0);
      const own = { date: '', 'x-request-id': '' };
      expect({ ...head.headers, ...own }).toEqual({ ...get.headers, ...own });
      expect(head.status).toBe(get.status);
    }
  });

  test('serves the files at the root', async () => {
    const { url } = await harness.startServing();
    const icon = await ask(url, '/favicon.svg');
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(icon.headers['cross-origin-resource-policy']).toBe('cross-origin');
    const security = await ask(url, '/.well-known/security.txt');
    expect(security.text).toMatch(
      /^Contact: .+\nCanonical: https:\/\/www\.example\.com\/.+\nExpires: 2027-01-01T/,
    );
  });

  test('serves the generated root texts', async () => {
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

  test('marks every response of a non-production site as noindex', async () => {
    const { url, document } = await harness.startServing();
    expect((await ask(url, '/start')).headers['x-robots-tag']).toBeUndefined();
    const { config } = document.release;
    const release = {
      ...document.release,
      id: 'r2',
      config: { ...config, mode: 'staging' as const, origin: 'https://staging.example.com' },
    };
    harness.registry.activate({ ...document, release });
    await waitFor(async () => expect((await ask(url, '/__site/state')).text).toContain('"r2"'));
    for (const target of [
      '/start',
      '/',
      '/nope.png',
      '/sitemap.xml',
      sampleAsset(document, 'shell', 'js').url,
    ]) {
      const { headers } = await ask(url, target);
      expect({ target, robots: headers['x-robots-tag'] }).toEqual({ target, robots: 'noindex, nofollow' });
    }
    expect((await ask(url, '/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n');
  });

  test('survives malformed HTTP', async () => {
    const { url } = await harness.startServing();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.resume();
    socket.end('GET /\u0000 \r\n\r\n');
    await nextEvent(socket, 'close');
    expect((await ask(url, '/start')).status).toBe(200);
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
    sampleAsset(document, 'shell', 'js').url,
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

test('counts its responses', async () => {
  const { url, opsUrl } = await harness.startServing();
  await ask(url, '/start');
  await ask(url, '/nope.png');
  const { text } = await ask(opsUrl, '/metrics');
  expect(text).toContain('site_edge_responses_total{kind="document",status="200"} 1');
  expect(text).toContain('site_edge_responses_total{kind="not-found",status="404"} 1');
  expect(text).toContain('site_edge_release{release="r1"} 1');
});
