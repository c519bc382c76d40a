import { connect } from 'node:net';
import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest } from '../testing/edge-harness.ts';
import { fileText as text, startWithFile } from '../testing/file-of-a-test.ts';
import { nextEvent, waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();

describe('the access log', () => {
  test('has a line per request without data about the visitor', async () => {
    const lines: string[] = [];
    const { url, target, stop } = await startWithFile(harness, text, {
      trustProxy: 1,
      writeAccessLog: (written) => lines.push(written),
    });
    const visitor = {
      cookie: 'bucket=7; authToken=secret-token',
      'user-agent': 'Somebody/1.0',
      'x-forwarded-for': '203.0.113.7',
      'x-request-id': 'from-the-proxy-1',
    };
    await ask(url, '/blocks?email=ada@example.com', { headers: visitor });
    await ask(url, target, { headers: { range: 'bytes=0-9' } });
    await ask(url, '/nope.png', { method: 'HEAD', headers: { 'x-request-id': 'no good"' } });
    await stop();
    const entries = entriesIn(lines);
    expect(entries).toMatchObject([
      {
        level: 'info',
        name: 'edge',
        requestId: 'from-the-proxy-1',
        method: 'GET',
        route: '/blocks',
        status: 200,
        release: 'r1',
        kind: 'document',
        complete: true,
      },
      { method: 'GET', route: target, status: 206, bytes: 10, kind: 'old-asset' },
      { method: 'HEAD', route: '*', status: 404, code: 'route_not_found', bytes: 0, kind: 'not-found' },
    ]);
    expect(entries[2]?.['requestId']).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys(entries[0] ?? {}).sort()).toEqual(
      [
        ...['level', 'time', 'name', 'msg', 'requestId', 'method', 'route', 'status', 'ms'],
        ...['bytes', 'complete', 'kind', 'release'],
      ].sort(),
    );
    expect(lines.join('')).not.toMatch(/somebody|secret|203\.0|bucket/i);
  });

  test.each([
    ['none', 0],
    ['another', ['192.0.2.1']],
  ])('has a request id that visitors cannot choose, with %s as the proxy', async (_, trustProxy) => {
    const lines: string[] = [];
    const { url, stop } = await harness.startServing({
      trustProxy,
      writeAccessLog: (written) => lines.push(written),
    });
    await ask(url, '/blocks', { headers: { 'x-request-id': 'chosen-by-a-visitor' } });
    await stop();
    expect(entriesIn(lines)[0]?.['requestId']).toMatch(/^[0-9a-f-]{36}$/);
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
  ])('logs %s as %s', async (target, path, status) => {
    const lines: string[] = [];
    const { url, stop } = await harness.startServing({ writeAccessLog: (written) => lines.push(written) });
    await ask(url, target);
    await ask(url, target, { method: 'DELETE' });
    await stop();
    const entries = lines.join('').trimEnd().split('\n');
    expect(entries.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { route: path, status },
      { route: path, status: 405, code: 'method_not_allowed' },
    ]);
    expect(lines.join('')).not.toContain('lovelace');
  });

  test('marks responses that a visitor aborted', async () => {
    const lines: string[] = [];
    const large = 'x'.repeat(32 * 1024 * 1024);
    const { url, target, stop } = await startWithFile(harness, large, {
      writeAccessLog: (written) => lines.push(written),
    });
    const hasty = connect(Number(new URL(url).port), '127.0.0.1');
    hasty.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await nextEvent(hasty, 'data');
    hasty.destroy();
    await waitFor(() => expect(lines.join('')).toContain(target));
    await stop();
    expect(JSON.parse(lines.join('').split('\n')[0] ?? '')).toMatchObject({ route: target, complete: false });
  });

  test('logs requests that a visitor aborted before the response', async () => {
    const lines: string[] = [];
    let isReading = false;
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const contents = harness.store.add(text);
    const { url, opsUrl, target, stop } = await startWithFile(harness, text, {
      writeAccessLog: (written) => lines.push(written),
      store: {
        ...harness.store,
        async getEncoded(integrity, encoding) {
          isReading ||= integrity === contents;
          if (integrity === contents) await held;
          return harness.store.getEncoded(integrity, encoding);
        },
      },
    });
    const hasty = connect(Number(new URL(url).port), '127.0.0.1');
    hasty.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await waitFor(() => isReading);
    hasty.destroy();
    await waitFor(() => expect(lines.join('')).toContain('"status":499'));
    letGo();
    expect((await ask(url, target)).text).toBe(text);
    // The first visitor's response was not sent, so it is not counted.
    expect((await ask(opsUrl, '/metrics')).text).toContain(
      'site_edge_responses_total{kind="old-asset",status="200"} 1\n',
    );
    await stop();
    const entries = entriesIn(lines);
    expect(entries).toMatchObject([
      { method: 'GET', status: 499, bytes: 0, kind: 'old-asset', complete: false },
      { method: 'GET', route: target, status: 200, complete: true },
    ]);
  });
});

function entriesIn(lines: readonly string[]): Record<string, unknown>[] {
  return lines
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
