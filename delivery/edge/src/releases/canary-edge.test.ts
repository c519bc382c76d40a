import { BUCKETS, STATE_PATH, type TableAnswer } from '@site/contract';
import { ask } from '../testing/ask.ts';
import { bootDataIn, createEdgeHarness, findManifest, type EdgeHarness } from '../testing/edge-harness.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';
import { readPreloads } from '@site/documents/testing/read-preloads';

let harness: EdgeHarness;
beforeEach(async () => {
  harness = await createEdgeHarness();
});
afterEach(() => harness.close());

/** An edge with r1 live and r2, with another mfe-blocks, as canary. */
async function startCanary(share: number, overrides: Parameters<EdgeHarness['start']>[0] = {}) {
  const started = await harness.startServing(overrides);
  const canary = createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'two' } });
  harness.registry.startCanary(canary, share);
  await waitFor(() => expect(started.edge.canary()).toBe('r2'));
  return { ...started, canary };
}

const withBucket = (bucket: number) => ({ headers: { cookie: `__Host-Http-bucket=${bucket}` } });
const releaseFor = async (url: string, bucket: number) => {
  const table = JSON.parse((await ask(url, STATE_PATH, withBucket(bucket))).text) as TableAnswer;
  // The page and the table of a visitor are of one release.
  const boot = bootDataIn((await ask(url, '/blocks', withBucket(bucket))).text);
  expect(table.remotes).toContainEqual(expect.objectContaining(boot.remotes[0]!));
  return table.release;
};

test('exactly the share of visitors sees the canary, including at the boundary bucket', async () => {
  const { url } = await startCanary(12.34);
  expect(await Promise.all([0, 1233, 1234, BUCKETS - 1].map((bucket) => releaseFor(url, bucket)))).toEqual([
    'r2',
    'r2',
    'r1',
    'r1',
  ]);
  expect((await ask(url, '/blocks', withBucket(0))).text).toContain('<main>/blocks  two</main>');
  expect((await ask(url, '/blocks', withBucket(5000))).text).toContain('<main>/blocks  one</main>');
});

test('a new visitor gets a bucket with a page that the canary changes or the table, and with nothing else', async () => {
  const { url, document } = await startCanary(10, { drawBucket: () => 999 });
  const page = await ask(url, '/blocks');
  const cookie = '__Host-Http-bucket=999; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax';
  expect(page.headers['set-cookie']).toEqual([cookie]);
  expect(page.text).toContain('<main>/blocks  two</main>');
  expect((await ask(url, STATE_PATH)).headers['set-cookie']).toEqual([cookie]);
  const script = `/assets/mfe-blocks/${findManifest(document, 'mfe-blocks').entry}`;
  for (const target of [
    '/',
    '/nope',
    '/start',
    '/favicon.svg',
    '/nope.png',
    '/__site/state?release=r1',
    '/robots.txt',
    script,
  ])
    expect([target, (await ask(url, target)).headers['set-cookie']]).toEqual([target, undefined]);
  expect((await ask(url, '/blocks', withBucket(3))).headers['set-cookie']).toBeUndefined();
});

test('without a canary, no buckets are assigned and pages are cacheable', async () => {
  const { url } = await harness.startServing();
  const { headers } = await ask(url, '/blocks');
  expect([headers['set-cookie'], headers['cache-control'], headers.vary]).toEqual([
    undefined,
    'no-cache, no-transform',
    'Accept-Encoding',
  ]);
});

test('during a canary, shared caches store neither redirects nor pages of its app', async () => {
  const { url } = await startCanary(50);
  for (const target of ['/blocks', '/blocks/auth', '/company', '/nope']) {
    const { headers } = await ask(url, target, withBucket(0));
    expect([target, headers['cache-control'], headers.etag, headers.vary]).toEqual([
      target,
      target.startsWith('/blocks') ? 'private, no-store, no-transform' : 'private, no-store',
      undefined,
      expect.stringContaining('Cookie'),
    ]);
  }
});

test("root files are the live release's for everyone, so that caches may store them", async () => {
  const { url, edge } = await harness.startServing();
  const canary = createSampleRelease(harness.store, { id: 'r2' });
  canary.release.at = '2031-01-01T00:00:00.000Z';
  harness.registry.startCanary(canary, 50);
  await waitFor(() => expect(edge.canary()).toBe('r2'));
  const { text, headers } = await ask(url, '/.well-known/security.txt', withBucket(0));
  expect([text.includes('Expires: 2027-'), headers['cache-control']]).toEqual([true, 'public, max-age=3600']);
});

test('files of both releases are served to everyone', async () => {
  const { url, document, canary } = await startCanary(10);
  for (const [release, edition] of [
    [document, 'one'],
    [canary, 'two'],
  ] as const) {
    const script = `/assets/mfe-blocks/${findManifest(release, 'mfe-blocks').entry}`;
    for (const bucket of [0, 9999])
      expect((await ask(url, script, withBucket(bucket))).text).toBe(`/* mfe-blocks ${edition} */`);
  }
  expect(harness.registry.requests.filter((path) => path.startsWith('/v1/assets/'))).toEqual([]);
});

test('raising the share keeps visitors in the canary without switching back and forth', async () => {
  const { url, canary } = await startCanary(10);
  const buckets = [0, 500, 999, 1000, 1500, 2999, 3000, 9999];
  const seen: string[][] = [];
  for (const share of [10, 15.01, 30]) {
    harness.registry.startCanary(canary, share);
    await waitFor(() => expect(harness.registry.heartbeats.at(-1)?.canary?.share).toBe(share));
    seen.push(await Promise.all(buckets.map((bucket) => releaseFor(url, bucket))));
  }
  expect(seen).toEqual([
    ['r2', 'r2', 'r2', 'r1', 'r1', 'r1', 'r1', 'r1'],
    ['r2', 'r2', 'r2', 'r2', 'r2', 'r1', 'r1', 'r1'],
    ['r2', 'r2', 'r2', 'r2', 'r2', 'r2', 'r1', 'r1'],
  ]);
});

test('reports the current canary to the registry', async () => {
  await startCanary(25);
  await waitFor(() => expect(harness.registry.heartbeats.at(-1)?.canary).not.toBeNull());
  expect(harness.registry.heartbeats.at(-1)).toEqual({
    edge: 'edge-1',
    release: 'r1',
    canary: { release: 'r2', share: 25 },
  });
});

test('a canary that cannot be loaded is not shown, and is logged', async () => {
  const { url, edge } = await harness.startServing({ pollMs: 20 });
  const bad = createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'two' } });
  harness.store.corrupt(findManifest(bad, 'mfe-blocks').assets[0]?.integrity ?? '');
  harness.registry.startCanary(bad, 99);
  await waitFor(() => harness.logged.some(({ message }) => message === 'cannot serve the release'));
  expect(edge.canary()).toBeNull();
  expect(await releaseFor(url, 0)).toBe('r1');
  expect(harness.registry.heartbeats.at(-1)).toMatchObject({ release: 'r1', canary: null });
});

test('tabs of an aborted canary are notified to leave it, tabs of the live release are not', async () => {
  const { url, edge } = await startCanary(10);
  const state = async (bucket: number) =>
    JSON.parse((await ask(url, '/__site/state?release=r2', withBucket(bucket))).text) as unknown;
  expect(await state(0)).toEqual({ release: 'r2', revoked: [] });
  expect(await state(9999)).toEqual({ release: 'r1', revoked: [] });
  harness.registry.abortCanary();
  await waitFor(() => expect(edge.canary()).toBeNull());
  expect(await state(0)).toEqual({ release: 'r1', revoked: ['r2'] });
  expect(await releaseFor(url, 0)).toBe('r1');
});

test('files of an aborted canary stay available to open tabs, even while registry and store are down', async () => {
  const { url, edge, canary } = await startCanary(10);
  harness.registry.abortCanary();
  await waitFor(() => expect(edge.canary()).toBeNull());
  await harness.registry.goAway();
  harness.store.goAway();
  const script = `/assets/mfe-blocks/${findManifest(canary, 'mfe-blocks').entry}`;
  expect((await ask(url, script)).text).toBe('/* mfe-blocks two */');
});

test("a promotion switches the canary's visitors directly and disturbs no open tab", async () => {
  const { url, edge } = await startCanary(10);
  const promoted = createSampleRelease(harness.store, { id: 'r3', editions: { 'mfe-blocks': 'two' } });
  const seen = new Set<string>();
  harness.registry.activate(promoted);
  await waitFor(async () => {
    seen.add((await ask(url, '/blocks', withBucket(0))).text.includes('/blocks  two') ? 'two' : 'one');
    return edge.release() === 'r3' && edge.canary() === null;
  });
  expect([...seen]).toEqual(['two']);
  expect(JSON.parse((await ask(url, '/__site/state?release=r2', withBucket(0))).text)).toEqual({
    release: 'r3',
    revoked: [],
  });
});

test("while a promotion cannot be loaded, the canary's visitors stay on the canary", async () => {
  const { url, edge } = await startCanary(10, { pollMs: 20 });
  const promoted = createSampleRelease(harness.store, { id: 'r3', editions: { 'mfe-blocks': 'three' } });
  const integrity = findManifest(promoted, 'mfe-blocks').assets[0]?.integrity ?? '';
  const bytes = await harness.store.get(integrity);
  harness.store.corrupt(integrity);
  harness.registry.activate(promoted);
  await waitFor(() => harness.logged.some(({ message }) => message === 'cannot serve the release'));
  expect([await releaseFor(url, 0), await releaseFor(url, 9999)]).toEqual(['r2', 'r1']);
  expect(edge.canary()).toBe('r2');
  await harness.store.put(integrity, bytes ?? Buffer.alloc(0));
  await waitFor(() => expect(edge.release()).toBe('r3'));
  expect([await releaseFor(url, 0), edge.canary()]).toEqual(['r3', null]);
});

test('a canary whose promotion cannot be loaded is removed immediately when it is revoked', async () => {
  const { url, edge } = await startCanary(10);
  const promoted = createSampleRelease(harness.store, { id: 'r3', editions: { 'mfe-blocks': 'three' } });
  harness.store.corrupt(findManifest(promoted, 'mfe-blocks').assets[0]?.integrity ?? '');
  harness.registry.activate(promoted);
  await waitFor(() => harness.logged.some(({ message }) => message === 'cannot serve the release'));
  expect(edge.canary()).toBe('r2');
  harness.registry.activate(promoted, { revoked: ['r2'] });
  await waitFor(() => expect(edge.canary()).toBeNull());
  expect(await releaseFor(url, 0)).toBe('r1');
});

test('a canary survives a restart without registry', async () => {
  const first = await startCanary(10);
  await waitFor(() => expect(harness.registry.heartbeats.at(-1)?.canary).not.toBeNull());
  await first.stop();
  await harness.registry.goAway();
  const { url, edge } = await harness.start({ restartPatienceMs: 1 });
  await waitFor(() => expect(edge.canary()).toBe('r2'));
  expect(edge.release()).toBe('r1');
  expect(await Promise.all([999, 1000].map((bucket) => releaseFor(url, bucket)))).toEqual(['r2', 'r1']);
});

test('with a remote store, an edge restarts without registry and store', async () => {
  const first = await startCanary(10, { isStoreRemote: true });
  await first.stop();
  await harness.registry.goAway();
  harness.store.goAway();
  const { url, edge } = await harness.start({ isStoreRemote: true, restartPatienceMs: 1 });
  await waitFor(() => expect(edge.canary()).toBe('r2'));
  expect(edge.release()).toBe('r1');
  const page = await ask(url, '/blocks', withBucket(0));
  const script = readPreloads(page.text)[0]?.href ?? '';
  expect((await ask(url, script)).text).toBe('/* mfe-blocks two */');
});
