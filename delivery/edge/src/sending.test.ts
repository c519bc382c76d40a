import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type InformationEvent } from 'node:http';
import {
  connect as connectHttp2,
  type ClientHttp2Session,
  type IncomingHttpHeaders as Http2Headers,
} from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { ask } from './testing/ask.ts';
import { cacheControl } from './send.ts';
import { createEdgeHarness, manifestOf, type EdgeHarness } from './testing/edge-harness.ts';
import { selfSigned } from './testing/self-signed.ts';
import { until } from './testing/until.ts';

// On a busy machine the sockets and compressors in here take a while.
jest.setTimeout(30_000);

let harness: EdgeHarness;
beforeEach(async () => {
  harness = await createEdgeHarness();
});
afterEach(() => harness.close());

const text = 'abcdefghij'.repeat(50);

/** An edge with one more file of known contents. */
async function startWithFile(contents = text, overrides: Parameters<EdgeHarness['start']>[0] = {}) {
  const started = await harness.startServing(overrides);
  harness.registry.assets.set('mfe-blocks/file.abc.txt', harness.store.add(contents));
  return { ...started, target: '/assets/mfe-blocks/file.abc.txt' };
}

describe('parts of files', () => {
  test('are sent as they are, whatever encodings the client takes', async () => {
    const { url, target } = await startWithFile();
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

  test('of the representation that the client has begun to read, else the whole', async () => {
    const { url, target } = await startWithFile();
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

  test('beyond the end are refused with the size', async () => {
    const { url, target } = await startWithFile();
    const { status, headers, body } = await ask(url, target, { headers: { range: 'bytes=500-' } });
    expect([status, headers['content-range'], body.length]).toEqual([416, 'bytes */500', 0]);
  });

  test('are not sent of what is unchanged, to HEAD, or of pages', async () => {
    const { url, target } = await startWithFile();
    const etag = String((await ask(url, target)).headers.etag);
    const range = 'bytes=0-1';
    expect((await ask(url, target, { headers: { range, 'if-none-match': etag } })).status).toBe(304);
    expect((await ask(url, target, { method: 'HEAD', headers: { range } })).status).toBe(200);
    const page = await ask(url, '/start', { headers: { range } });
    expect([page.status, page.headers['accept-ranges']]).toEqual([200, undefined]);
  });
});

describe('what a page needs next', () => {
  const navigation = { 'sec-fetch-mode': 'navigate' };

  test('is named in its Link header, exactly as in its head', async () => {
    const { url } = await harness.startServing();
    const { headers, text: html } = await ask(url, '/blocks');
    const links = String(headers.link).split(', ');
    const inHead = [...html.matchAll(/<(?:link rel="preload"|script defer)[^>]*(?:href|src)="([^"]+)"/g)].map(
      ([, href]) => href,
    );
    expect(links.map((link) => /^<([^>]+)>/.exec(link)?.[1]).sort()).toEqual(inHead.sort());
    const [, integrity = ''] = /integrity="([^"]+)" href="([^"]+)"/.exec(html) ?? [];
    expect(links.filter((link) => link.includes(integrity))).toHaveLength(1);
    expect(links.every((link) => link.includes('rel=preload') && link.includes('crossorigin'))).toBe(true);
  });

  async function hinted(url: string, target: string, headers: Record<string, string>) {
    const hints: InformationEvent[] = [];
    const sent = httpRequest(url + target, { headers, agent: false });
    sent.on('information', (hint) => hints.push(hint));
    sent.end();
    const [response] = (await once(sent, 'response')) as [{ headers: IncomingHttpHeaders; resume(): void }];
    response.resume();
    return { hints, headers: response.headers };
  }

  test('is told before the page itself over HTTP/1.1 when that is wanted, and only to browsers', async () => {
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

  /** The status line of the first thing that is answered to a browser's navigation, as a proxy would read it. */
  async function firstLine(url: string, version: string): Promise<string | undefined> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`GET /blocks HTTP/${version}\r\nHost: x\r\nsec-fetch-mode: navigate\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return first.toString().split('\r\n')[0];
  }

  test('is not told over HTTP/1.1 by itself: a proxy that passes a navigation on would take it for the answer', async () => {
    const { url } = await harness.startServing();
    expect(await firstLine(url, '1.1')).toBe('HTTP/1.1 200 OK');
  });

  test('is not told to a client of HTTP/1.0, which would take it for the answer', async () => {
    const { url } = await harness.startServing({ hintsOverHttp1: true });
    expect(await firstLine(url, '1.1')).toBe('HTTP/1.1 103 Early Hints');
    expect(await firstLine(url, '1.0')).toBe('HTTP/1.1 200 OK');
  });
});

describe('with a certificate', () => {
  const certificate = selfSigned();

  async function over2(session: ClientHttp2Session, headers: Record<string, string>) {
    const stream = session.request(headers);
    const hints: Http2Headers[] = [];
    stream.on('headers', (hint: Http2Headers) => hints.push(hint));
    const [answer] = (await once(stream, 'response')) as [Http2Headers];
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return { answer, hints, text: Buffer.concat(chunks).toString() };
  }

  test('pages and files are served over HTTP/2, with early hints', async () => {
    const { url, document } = await harness.startServing({ certificate });
    expect(url).toMatch(/^https:/);
    const session = connectHttp2(url, { rejectUnauthorized: false });
    const page = await over2(session, { ':path': '/blocks', 'sec-fetch-mode': 'navigate' });
    expect(page.answer[':status']).toBe(200);
    expect(page.text).toContain('<main>/blocks  one</main>');
    expect(page.hints.map((hint) => [hint[':status'], hint['link']])).toEqual([[103, page.answer['link']]]);
    const path = `/assets/mfe-blocks/${manifestOf(document, 'mfe-blocks').entry}`;
    const parts = await Promise.all(
      ['bytes=0-1', 'bytes=3-12'].map((range) => over2(session, { ':path': path, range })),
    );
    expect(parts.map(({ answer, text: part }) => [answer[':status'], part])).toEqual([
      [206, '/*'],
      [206, 'mfe-blocks'],
    ]);
    session.close();
  });

  test('over HTTP/2, too: HEAD has no body, what is unchanged is not sent again, parts beyond the end are refused', async () => {
    const { url, target } = await startWithFile(text, { certificate });
    const session = connectHttp2(url, { rejectUnauthorized: false });
    const asked = (headers: Record<string, string>) => over2(session, { ':path': target, ...headers });
    const whole = await asked({});
    expect([whole.answer[':status'], whole.text]).toEqual([200, text]);
    const head = await asked({ ':method': 'HEAD' });
    expect([head.answer[':status'], head.text, head.answer['content-length']]).toEqual([200, '', '500']);
    const etag = String(whole.answer.etag);
    const unchanged = await asked({ 'if-none-match': etag });
    expect([unchanged.answer[':status'], unchanged.text]).toEqual([304, '']);
    const rest = await asked({ range: 'bytes=495-', 'if-range': etag });
    expect([rest.answer[':status'], rest.text]).toEqual([206, 'fghij']);
    expect((await asked({ range: 'bytes=0-1', 'if-range': '"other"' })).answer[':status']).toBe(200);
    const beyond = await asked({ range: 'bytes=500-' });
    expect([beyond.answer[':status'], beyond.answer['content-range'], beyond.text]).toEqual([
      416,
      'bytes */500',
      '',
    ]);
    session.close();
  });

  test('over HTTP/2, too, a reader that does not read is cut off; the rest of its connection goes on', async () => {
    const large = 'x'.repeat(8 * 1024 * 1024);
    const { url, opsUrl, target } = await startWithFile(large, { certificate, sendWithinMs: 50 });
    const session = connectHttp2(url, { rejectUnauthorized: false });
    const slow = session.request({ ':path': target });
    slow.on('error', () => undefined);
    await once(slow, 'response');
    await until(async () => (await ask(opsUrl, '/metrics')).text.includes('site_edge_answers_cut_total 1'));
    expect((await over2(session, { ':path': '/start' })).answer[':status']).toBe(200);
    let received = 0;
    slow.on('data', (chunk: Buffer) => (received += chunk.length));
    if (!slow.closed) await once(slow, 'close');
    expect(received).toBeLessThan(large.length);
    session.close();
  });

  test('clients that know only HTTP/1.1 are served as well', async () => {
    const { url } = await harness.startServing({ certificate });
    const sent = httpsRequest(`${url}/blocks`, { rejectUnauthorized: false, agent: false });
    sent.end();
    const [response] = (await once(sent, 'response')) as [
      { statusCode: number; httpVersion: string; resume(): void },
    ];
    response.resume();
    expect([response.statusCode, response.httpVersion]).toEqual([200, '1.1']);
  });

  test('an edge closes while its visitors keep their connections', async () => {
    const { url, stop } = await harness.startServing({ certificate });
    const session = connectHttp2(url, { rejectUnauthorized: false });
    await over2(session, { ':path': '/blocks' });
    const closed = once(session, 'close');
    await stop();
    await closed;
    expect(session.closed).toBe(true);
  });
});

describe('back-pressure', () => {
  /** More than the buffers of both sides of a connection take. */
  const large = 'x'.repeat(32 * 1024 * 1024);

  test('a reader that does not read is cut off, and costs nobody else anything', async () => {
    const { url, opsUrl, target } = await startWithFile(large, { sendWithinMs: 50 });
    const slow = connect(Number(new URL(url).port), '127.0.0.1');
    slow.on('error', () => undefined);
    slow.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    slow.pause();
    await until(async () => (await ask(opsUrl, '/metrics')).text.includes('site_edge_answers_cut_total 1'));
    expect((await ask(url, '/start')).status).toBe(200);
    let received = 0;
    slow.on('data', (chunk: Buffer) => (received += chunk.length));
    slow.resume();
    await once(slow, 'close');
    expect(received).toBeLessThan(large.length);
  });

  test('a reader that reads gets everything, however much it is', async () => {
    const { url, target } = await startWithFile(large);
    expect((await ask(url, target)).body.length).toBe(large.length);
  });

  test('more connections than allowed are closed as they come, and counted', async () => {
    const { url, opsUrl } = await harness.startServing({ maxConnections: 1 });
    const first = connect(Number(new URL(url).port), '127.0.0.1');
    await once(first, 'connect');
    const second = connect(Number(new URL(url).port), '127.0.0.1');
    second.on('error', () => undefined);
    await once(second, 'close');
    // Operators still get in: their port has connections of its own.
    await until(async () =>
      (await ask(opsUrl, '/metrics')).text.includes('site_edge_connections_dropped_total 1'),
    );
    first.destroy();
  });
});

describe('what may be kept', () => {
  test.each<[string, string, number, Record<string, string>]>([
    ['a part that the file does not have', '/assets/mfe-blocks/file.abc.txt', 416, { range: 'bytes=9999-' }],
    ['a file that nobody published', '/assets/mfe-blocks/nope.abc.js', 404, {}],
    ['a file at the root that is not there', '/nope.png', 404, {}],
    ['an address that cannot be read', '/%', 400, {}],
  ])('no answer to %s is kept, let alone for a year', async (_what, target, status, headers) => {
    const { url } = await startWithFile();
    const told = await ask(url, target, { headers });
    expect([told.status, told.headers['cache-control']]).toEqual([status, 'no-store']);
    expect(told.headers.etag).toBeUndefined();
  });

  test.each([400, 403, 404, 405, 410, 416, 500, 502, 503])(
    'an answer %i says so, whatever it was made from',
    (status) => {
      expect(cacheControl(status, 'public, max-age=31536000, immutable')).toBe('no-store');
      expect(cacheControl(status, undefined)).toBe('no-store');
    },
  );

  test('a redirect is asked for anew each time, and never kept for others', () => {
    for (const status of [301, 302, 303, 307, 308]) {
      expect(cacheControl(status, 'public, max-age=31536000')).toBe('no-store');
      expect(cacheControl(status, 'no-cache')).toBe('no-cache');
      expect(cacheControl(status, 'private, no-store')).toBe('private, no-store');
    }
    for (const status of [200, 206, 304]) expect(cacheControl(status, 'public')).toBe('public');
    expect(cacheControl(200, undefined)).toBe('no-store');
  });
});

describe('the access log', () => {
  test('has a line for each request, with nothing in it about the visitor', async () => {
    const lines: string[] = [];
    const { url, target, stop } = await startWithFile(text, {
      writeAccessLog: (written) => lines.push(written),
    });
    const visitor = {
      cookie: 'bucket=7; authToken=secret-token',
      'user-agent': 'Somebody/1.0',
      'x-forwarded-for': '203.0.113.7',
      'x-request-id': 'from-the-proxy-1',
    };
    await ask(url, '/blocks?email=somebody@example.com', { headers: visitor });
    await ask(url, target, { headers: { range: 'bytes=0-9' } });
    await ask(url, '/nope.png', { method: 'HEAD', headers: { 'x-request-id': 'no good"' } });
    await stop();
    const entries = entriesIn(lines);
    expect(entries).toMatchObject([
      {
        id: 'from-the-proxy-1',
        method: 'GET',
        path: '/blocks',
        status: 200,
        release: 'r1',
        kind: 'document',
        complete: true,
      },
      { method: 'GET', path: target, status: 206, bytes: 10, kind: 'old-asset' },
      { method: 'HEAD', path: '*', status: 404, bytes: 0, kind: 'not-found' },
    ]);
    expect(entries[2]?.['id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys(entries[0] ?? {}).sort()).toEqual(
      ['bytes', 'complete', 'id', 'kind', 'log', 'method', 'ms', 'path', 'release', 'status', 'time'].sort(),
    );
    expect(lines.join('')).not.toMatch(/somebody|secret|203\.0|bucket/i);
  });

  test.each([
    ['/home&email=lovelace@example.com', '*', 302],
    ['/lovelace@example.com/?a', '*', 302],
    ['/lovelace.png', '*', 404],
    ['/%ff', '*', 400],
    ['/assets/mfe-blocks/lovelace@example.com', '/assets/*', 404],
    ['http://lovelace.example/start/', '/start', 308],
    ['http://lovelace.example/start', '/start', 200],
    ['/company/', '/company', 308],
    ['/', '/', 302],
    ['/favicon.svg?a', '/favicon.svg', 200],
    ['/_preview?id=lovelace', '/_preview', 403],
  ])('has %s as %s', async (target, path, status) => {
    const lines: string[] = [];
    const { url, stop } = await harness.startServing({ writeAccessLog: (written) => lines.push(written) });
    await ask(url, target);
    await ask(url, target, { method: 'DELETE' });
    await stop();
    const entries = lines.join('').trimEnd().split('\n');
    expect(entries.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { path, status },
      { path, status: 405 },
    ]);
    expect(lines.join('')).not.toContain('lovelace');
  });

  test('says when a visitor left before everything was there', async () => {
    const lines: string[] = [];
    const large = 'x'.repeat(32 * 1024 * 1024);
    const { url, target, stop } = await startWithFile(large, {
      writeAccessLog: (written) => lines.push(written),
    });
    const hasty = connect(Number(new URL(url).port), '127.0.0.1');
    hasty.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(hasty, 'data');
    hasty.destroy();
    await until(() => lines.join('').includes(target));
    await stop();
    expect(JSON.parse(lines.join('').split('\n')[0] ?? '')).toMatchObject({ path: target, complete: false });
  });

  test('says when a visitor left before there was an answer', async () => {
    const lines: string[] = [];
    let isReading = false;
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const contents = harness.store.add(text);
    const { url, opsUrl, target, stop } = await startWithFile(text, {
      writeAccessLog: (written) => lines.push(written),
      store: {
        ...harness.store,
        async get(integrity) {
          isReading ||= integrity === contents;
          if (integrity === contents) await held;
          return harness.store.get(integrity);
        },
      },
    });
    const hasty = connect(Number(new URL(url).port), '127.0.0.1');
    hasty.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until(() => isReading);
    hasty.destroy();
    await until(() => lines.join('').includes('"status":499'));
    letGo();
    expect((await ask(url, target)).text).toBe(text);
    // What was meant for the first visitor is not counted as an answer.
    expect((await ask(opsUrl, '/metrics')).text).toContain(
      'site_edge_responses_total{kind="old-asset",status="200"} 1\n',
    );
    await stop();
    const entries = entriesIn(lines);
    expect(entries).toMatchObject([
      { method: 'GET', status: 499, bytes: 0, kind: 'old-asset', complete: false },
      { method: 'GET', path: target, status: 200, complete: true },
    ]);
  });
});

/** What an access log holds. */
function entriesIn(lines: readonly string[]): Record<string, unknown>[] {
  return lines
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
