import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest } from '../testing/edge-harness.ts';
import { linkId } from '../testing/preview-site.ts';

const harness = edgeHarnessForEachTest();
const own = 'www.example.com';

async function start(trustProxy = 0) {
  const { url } = await harness.startServing({ redirectsOtherHosts: true, trustProxy });
  return async (path: string, headers: Record<string, string>) => {
    const { status, headers: received } = await ask(url, path, { headers });
    return [status, received.location];
  };
}

test('a page at another host name redirects to the same page at the configured origin', async () => {
  const visit = await start();
  for (const host of ['127.0.0.1:8080', 'example.com', `${own}.`, '[::1]', 'other.example:443'])
    expect(await visit('/blocks?from=mail', { host })).toEqual([308, `https://${own}/blocks?from=mail`]);
  expect(await visit('/', { host: 'example.com' })).toEqual([308, `https://${own}/`]);
});

test('the redirect is not cached, since shared caches may ignore the host', async () => {
  const { url } = await harness.startServing({ redirectsOtherHosts: true });
  const { headers } = await ask(url, '/blocks', { headers: { host: 'example.com' } });
  expect(headers['cache-control']).toBe('no-store');
});

test.each([own, `${own}:443`, `${own}:8080`, 'WWW.Example.com', 'a b', '@'])(
  'the host %j is served, since ports differ behind proxies and an invalid host names no other one',
  async (host) => {
    const visit = await start();
    expect(await visit('/blocks', { host })).toEqual([200, undefined]);
  },
);

test('the host that a trusted proxy reports counts', async () => {
  const host = 'edge.internal';
  const visit = await start(1);
  expect(await visit('/blocks', { host, 'x-forwarded-host': own })).toEqual([200, undefined]);
  expect(await visit('/blocks', { host, 'x-forwarded-host': `example.com, ${host}` })).toEqual([
    308,
    `https://${own}/blocks`,
  ]);
});

test('a client without a proxy cannot choose the host', async () => {
  const visit = await start();
  expect(await visit('/blocks', { host: 'example.com', 'x-forwarded-host': own })).toEqual([
    308,
    `https://${own}/blocks`,
  ]);
});

test("health checks, files and the edge's own addresses are served at every host name", async () => {
  const visit = await start();
  for (const path of ['/robots.txt', '/__site/state?release=r1'])
    expect((await visit(path, { host: '10.0.0.7' }))[0]).toBe(200);
  for (const path of ['/__site/ready', `/_preview?id=${linkId}`])
    expect((await visit(path, { host: '10.0.0.7' }))[0]).not.toBe(308);
});
