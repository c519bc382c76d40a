import { request as httpRequest, type IncomingHttpHeaders, type InformationEvent } from 'node:http';
import { connect } from 'node:net';
import { cacheControl } from './headers.ts';
import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest } from '../testing/edge-harness.ts';
import { fileText as text, startWithFile } from '../testing/file-of-a-test.ts';
import { nextEvent } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();

describe('ranges', () => {
  test('are sent in the identity encoding, whatever encodings the client accepts', async () => {
    const { url, target } = await startWithFile(harness, text);
    const part = await ask(url, target, { headers: { range: 'bytes=10-19', 'accept-encoding': 'br, gzip' } });
    expect([part.status, part.text]).toEqual([206, 'abcdefghij']);
    expect(part.headers).toMatchObject({
      'content-range': 'bytes 10-19/500',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(part.headers['content-encoding']).toBeUndefined();
  });

  test('apply to the representation that the client has started to read; otherwise the whole file is sent', async () => {
    const { url, target } = await startWithFile(harness, text);
    const plain = String((await ask(url, target)).headers.etag);
    const compressed = String(
      (await ask(url, target, { headers: { 'accept-encoding': 'br' } })).headers.etag,
    );
    const answered = async (etag: string) =>
      (await ask(url, target, { headers: { range: 'bytes=490-', 'if-range': etag } })).text.length;
    expect(await answered(plain)).toBe(10);
    expect(await answered(compressed)).toBe(500);
    expect(await answered('"something-else"')).toBe(500);
  });

  test('beyond the end are rejected with the size', async () => {
    const { url, target } = await startWithFile(harness, text);
    const { status, headers, body } = await ask(url, target, { headers: { range: 'bytes=500-' } });
    expect([status, headers['content-range'], body.length]).toEqual([416, 'bytes */500', 0]);
  });

  test('are not sent for unchanged files, HEAD, or pages', async () => {
    const { url, target } = await startWithFile(harness, text);
    const etag = String((await ask(url, target)).headers.etag);
    const range = 'bytes=0-1';
    expect((await ask(url, target, { headers: { range, 'if-none-match': etag } })).status).toBe(304);
    expect((await ask(url, target, { method: 'HEAD', headers: { range } })).status).toBe(200);
    const page = await ask(url, '/start', { headers: { range } });
    expect([page.status, page.headers['accept-ranges']]).toEqual([200, undefined]);
  });
});

describe('preloads', () => {
  const navigation = { 'sec-fetch-mode': 'navigate' };

  test('are in the Link header as in the head: the fonts, and no script, which would delay the page', async () => {
    const { url } = await harness.startServing();
    const { headers, text: html } = await ask(url, '/blocks');
    const links = String(headers.link).split(', ');
    const fonts = [...html.matchAll(/<link rel="preload" as="font"[^>]* href="([^"]+)"/g)].map(
      ([, href]) => href,
    );
    expect(fonts).not.toHaveLength(0);
    expect(links.map((link) => /^<([^>]+)>/.exec(link)?.[1]).sort()).toEqual(fonts.sort());
    expect(links.every((link) => link.includes('rel=preload') && link.includes('crossorigin'))).toBe(true);
  });

  async function hinted(url: string, target: string, headers: Record<string, string>) {
    const hints: InformationEvent[] = [];
    const sent = httpRequest(url + target, { headers, agent: false });
    sent.on('information', (hint) => hints.push(hint));
    sent.end();
    const [response] = (await nextEvent(sent, 'response')) as [
      { headers: IncomingHttpHeaders; resume(): void },
    ];
    response.resume();
    return { hints, headers: response.headers };
  }

  test('are sent as early hints over HTTP/1.1 only if enabled, and only to browsers', async () => {
    const { url } = await harness.startServing({ hintsOverHttp1: true });
    const opened = await hinted(url, '/blocks', navigation);
    expect(opened.hints.map(({ statusCode, headers }) => [statusCode, headers['link']])).toEqual([
      [103, opened.headers.link],
    ]);
    expect((await hinted(url, '/blocks', {})).hints).toEqual([]);
    expect((await hinted(url, '/nope', navigation)).hints).toEqual([]);
    const etag = String((await hinted(url, '/blocks', navigation)).headers.etag);
    expect((await hinted(url, '/blocks', { ...navigation, 'if-none-match': etag })).hints).toEqual([]);
  });

  /** The first status line of the response to a browser's navigation, as a proxy would read it. */
  async function firstLine(url: string, version: string): Promise<string | undefined> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`GET /blocks HTTP/${version}\r\nHost: x\r\nsec-fetch-mode: navigate\r\n\r\n`);
    const [first] = (await nextEvent(socket, 'data')) as [Buffer];
    socket.destroy();
    return first.toString().split('\r\n')[0];
  }

  test('are not sent early over HTTP/1.1 by default: a proxy could mistake the 103 for the response', async () => {
    const { url } = await harness.startServing();
    expect(await firstLine(url, '1.1')).toBe('HTTP/1.1 200 OK');
  });

  test('are not sent early to an HTTP/1.0 client, which would mistake the 103 for the response', async () => {
    const { url } = await harness.startServing({ hintsOverHttp1: true });
    expect(await firstLine(url, '1.1')).toBe('HTTP/1.1 103 Early Hints');
    expect(await firstLine(url, '1.0')).toBe('HTTP/1.1 200 OK');
  });
});

describe('caching', () => {
  test.each<[string, string, number, Record<string, string>]>([
    ['a part that the file does not have', '/assets/mfe-blocks/file.abc.txt', 416, { range: 'bytes=9999-' }],
    ['an unpublished file', '/assets/mfe-blocks/nope.abc.js', 404, {}],
    ['a file at the root that is not there', '/nope.png', 404, {}],
    ['an address that cannot be read', '/%', 400, {}],
  ])('a response to %s is not cacheable, let alone for a year', async (_what, target, status, headers) => {
    const { url } = await startWithFile(harness, text);
    const told = await ask(url, target, { headers });
    expect([told.status, told.headers['cache-control']]).toEqual([status, 'no-store']);
    expect(told.headers.etag).toBeUndefined();
  });

  test.each([400, 403, 404, 405, 410, 416, 500, 502, 503])(
    'a %i response is not cacheable, whatever its reply declares',
    (status) => {
      expect(cacheControl(status, 'public, max-age=31536000, immutable')).toBe('no-store');
      expect(cacheControl(status, undefined)).toBe('no-store');
    },
  );

  test('a redirect is revalidated each time and never stored by shared caches', () => {
    for (const status of [301, 302, 303, 307, 308]) {
      expect(cacheControl(status, 'public, max-age=31536000')).toBe('no-store');
      expect(cacheControl(status, 'no-cache')).toBe('no-cache');
      expect(cacheControl(status, 'private, no-store')).toBe('private, no-store');
    }
    for (const status of [200, 206, 304]) expect(cacheControl(status, 'public')).toBe('public');
    expect(cacheControl(200, undefined)).toBe('no-store');
  });
});
