import { connect } from 'node:net';
import { createEdge } from './create-edge.ts';
import { ask } from './testing/ask.ts';
import { edgeHarnessForEachTest } from './testing/edge-harness.ts';
import { createSampleRelease } from './testing/sample-release.ts';
import { fakeToken } from './testing/fake-registry.ts';
import { nextEvent, waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();

const anotherEdge = () =>
  createEdge({
    registryUrl: harness.registry.url,
    token: fakeToken,
    store: harness.store,
    channel: 'production',
    cacheDir: harness.cacheDir,
    id: 'x',
  });

test('rejects a used port', async () => {
  const { url } = await harness.startServing();
  const other = anotherEdge();
  await expect(other.start({ port: Number(new URL(url).port), host: '127.0.0.1' })).rejects.toMatchObject({
    message: expect.stringContaining('is in use') as string,
  });
});

test('closes while visitors keep their connections open', async () => {
  const { url, stop } = await harness.startServing();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const ended = nextEvent(socket, 'close');
  socket.write('GET /start HTTP/1.1\r\nHost: x\r\n\r\n');
  await nextEvent(socket, 'data');
  await stop();
  socket.resume();
  await ended;
  await expect(ask(url, '/start')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a draining edge is not ready, serves pages and follows releases', async () => {
  const { url, opsUrl, edge, drain } = await harness.startServing();
  await waitFor(async () => expect((await ask(opsUrl, '/readyz')).status).toBe(200));
  drain();
  expect((await ask(opsUrl, '/readyz')).status).toBe(503);
  expect((await ask(url, '/__site/ready')).status).toBe(503);
  expect((await ask(url, '/start')).status).toBe(200);
  harness.registry.activate(createSampleRelease(harness.store, { id: 'r2' }));
  await waitFor(() => expect(edge.release()).toBe('r2'));
});

describe('the operations port', () => {
  test('is the only one that serves health and metrics; the public port returns 404', async () => {
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

  test('reports its setting if it is in use, and the edge does not start without it', async () => {
    const { opsUrl } = await harness.startServing();
    const other = anotherEdge();
    const host = '127.0.0.1';
    await expect(
      other.start({ port: 0, host, ops: { port: Number(new URL(opsUrl).port), host } }),
    ).rejects.toMatchObject({ message: expect.stringMatching(/is in use.*OPS_PORT/) as string });
  });

  test('reports its setting if the address belongs to another machine', async () => {
    const ops = { port: 0, host: '192.0.2.1' };
    await expect(anotherEdge().start({ port: 0, host: '127.0.0.1', ops })).rejects.toMatchObject({
      message: expect.stringMatching(/^"192\.0\.2\.1" is not an address of this machine.*OPS_HOST/) as string,
    });
  });
});
