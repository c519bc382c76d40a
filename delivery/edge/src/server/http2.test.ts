import {
  connect as connectHttp2,
  type ClientHttp2Session,
  type IncomingHttpHeaders as Http2Headers,
} from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest, findManifest } from '../testing/edge-harness.ts';
import { fileText as text, startWithFile } from '../testing/file-of-a-test.ts';
import { selfSigned } from '@site/server/testing/self-signed';
import { nextEvent, waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();

describe('with a certificate', () => {
  const certificate = selfSigned();

  async function over2(session: ClientHttp2Session, headers: Record<string, string>) {
    const stream = session.request(headers);
    const hints: Http2Headers[] = [];
    stream.on('headers', (hint: Http2Headers) => hints.push(hint));
    const [answer] = (await nextEvent(stream, 'response')) as [Http2Headers];
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
    const path = `/assets/mfe-blocks/${findManifest(document, 'mfe-blocks').entry}`;
    const parts = await Promise.all(
      ['bytes=0-1', 'bytes=3-12'].map((range) => over2(session, { ':path': path, range })),
    );
    expect(parts.map(({ answer, text: part }) => [answer[':status'], part])).toEqual([
      [206, '/*'],
      [206, 'mfe-blocks'],
    ]);
    session.close();
  });

  test('also over HTTP/2: HEAD has no body, unchanged files are not sent again, ranges beyond the end are rejected', async () => {
    const { url, target } = await startWithFile(harness, text, { certificate });
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

  test("also over HTTP/2, a client that does not read a response loses it; its connection's other streams continue", async () => {
    const large = 'x'.repeat(8 * 1024 * 1024);
    const { url, opsUrl, target } = await startWithFile(harness, large, { certificate, sendWithinMs: 50 });
    const session = connectHttp2(url, { rejectUnauthorized: false });
    const slow = session.request({ ':path': target });
    slow.on('error', () => undefined);
    await nextEvent(slow, 'response');
    await waitFor(async () =>
      expect((await ask(opsUrl, '/metrics')).text).toContain('site_edge_answers_cut_total 1'),
    );
    expect((await over2(session, { ':path': '/start' })).answer[':status']).toBe(200);
    let received = 0;
    slow.on('data', (chunk: Buffer) => (received += chunk.length));
    if (!slow.closed) await nextEvent(slow, 'close');
    expect(received).toBeLessThan(large.length);
    session.close();
  });

  test('clients that support only HTTP/1.1 are served as well', async () => {
    const { url } = await harness.startServing({ certificate });
    const sent = httpsRequest(`${url}/blocks`, { rejectUnauthorized: false, agent: false });
    sent.end();
    const [response] = (await nextEvent(sent, 'response')) as [
      { statusCode: number; httpVersion: string; resume(): void },
    ];
    response.resume();
    expect([response.statusCode, response.httpVersion]).toEqual([200, '1.1']);
  });

  test('an edge closes while its visitors keep their connections', async () => {
    const { url, stop } = await harness.startServing({ certificate });
    const session = connectHttp2(url, { rejectUnauthorized: false });
    await over2(session, { ':path': '/blocks' });
    const closed = nextEvent(session, 'close');
    await stop();
    await closed;
    expect(session.closed).toBe(true);
  });
});
