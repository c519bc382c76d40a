import { connect } from 'node:net';
import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest } from '../testing/edge-harness.ts';
import { startWithFile } from '../testing/file-of-a-test.ts';
import { nextEvent, waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();

describe('back-pressure', () => {
  /** Larger than the socket buffers of both sides. */
  const large = 'x'.repeat(32 * 1024 * 1024);

  test('a client that does not read is disconnected, at no cost to others', async () => {
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

  test('a client that reads gets everything, whatever the size', async () => {
    const { url, target } = await startWithFile(harness, large);
    expect((await ask(url, target)).body.length).toBe(large.length);
  });

  test('connections above the maximum are closed and counted', async () => {
    const { url, opsUrl } = await harness.startServing({ maxConnections: 1 });
    const first = connect(Number(new URL(url).port), '127.0.0.1');
    await nextEvent(first, 'connect');
    const second = connect(Number(new URL(url).port), '127.0.0.1');
    second.on('error', () => undefined);
    await nextEvent(second, 'close');
    // The operations port has its own limit.
    await waitFor(async () =>
      expect((await ask(opsUrl, '/metrics')).text).toContain('site_edge_connections_dropped_total 1'),
    );
    first.destroy();
  });
});
