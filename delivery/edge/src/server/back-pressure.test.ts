import { connect } from 'node:net';
import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest } from '../testing/edge-harness.ts';
import { startWithFile } from '../testing/file-of-a-test.ts';
import { nextEvent, waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();

describe('back-pressure', () => {
  /** More than the buffers of both sides of a connection take. */
  const large = 'x'.repeat(32 * 1024 * 1024);

  test('a reader that does not read is cut off, and costs nobody else anything', async () => {
    const { url, opsUrl, target } = await startWithFile(harness, large, { sendWithinMs: 50 });
    const slow = connect(Number(new URL(url).port), '127.0.0.1');
    slow.on('error', () => undefined);
    slow.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    slow.pause();
    await waitFor(async () =>
      expect((await ask(opsUrl, '/metrics')).text).toContain('site_edge_answers_cut_total 1'),
    );
    expect((await ask(url, '/start')).status).toBe(200);
    let received = 0;
    slow.on('data', (chunk: Buffer) => (received += chunk.length));
    slow.resume();
    await nextEvent(slow, 'close');
    expect(received).toBeLessThan(large.length);
  });

  test('a reader that reads gets everything, however much it is', async () => {
    const { url, target } = await startWithFile(harness, large);
    expect((await ask(url, target)).body.length).toBe(large.length);
  });

  test('more connections than allowed are closed as they come, and counted', async () => {
    const { url, opsUrl } = await harness.startServing({ maxConnections: 1 });
    const first = connect(Number(new URL(url).port), '127.0.0.1');
    await nextEvent(first, 'connect');
    const second = connect(Number(new URL(url).port), '127.0.0.1');
    second.on('error', () => undefined);
    await nextEvent(second, 'close');
    // Operators still get in: their port has connections of its own.
    await waitFor(async () =>
      expect((await ask(opsUrl, '/metrics')).text).toContain('site_edge_connections_dropped_total 1'),
    );
    first.destroy();
  });
});
