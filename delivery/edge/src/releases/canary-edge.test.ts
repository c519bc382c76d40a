import { BUCKETS, STATE_PATH, type TableAnswer } from '@site/contract';
import { ask } from '../testing/ask.ts';
import { bootDataIn, createEdgeHarness, findManifest, type EdgeHarness } from '../testing/edge-harness.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';
import { placesIn, seesCanary } from './bucket.ts';
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
  await waitFor(() => expect(started.edge.canaries()).toEqual(['r2']));
  return { ...started, canary };
}

/** A visitor with this place in the canary's order. */
const bucketAt = (place: number, canary = 'r2') => placesIn(canary).indexOf(place);
const cookie = (bucket: number) => ({ headers: { cookie: `__Host-Http-bucket=${bucket}` } });
const withBucket = (place: number) => cookie(bucketAt(place));
const tableFor = async (url: string, bucket: number) =>
  JSON.parse((await ask(url, STATE_PATH, cookie(bucket))).text) as TableAnswer;
const releaseFor = async (url: string, place: number) => {
  const table = await tableFor(url, bucketAt(place));
  // The page and the table of a visitor are of one set.
  const boot = bootDataIn((await ask(url, '/blocks', withBucket(place))).text);
  expect(table.remotes).toContainEqual(expect.objectContaining(boot.remotes[0]!));
  return table.release;
};

test('exactly the share of visitors sees the canary, including at the boundary bucket', async () => {
  const { url } = await startCanary(12.34);
  expect(await Promise.all([0, 1233, 1234, BUCKETS - 1].map((place) => releaseFor(url, place)))).toEqual([
    'r1.r2',
    'r1.r2',
    'r1',
    'r1',
  ]);
  expect((await ask(url, '/blocks', withBucket(0))).text).toContain('<main>/blocks  two</main>');
  expect((await ask(url, '/blocks', withBucket(5000))).text).toContain('<main>/blocks  one</main>');
});

test('a new visitor gets a bucket with a page that the canary changes or the table, and with nothing else', async () => {
  const { url, document } = await startCanary(10, { drawBucket: () => bucketAt(999) });
  const page = await ask(url, '/blocks');
  const set = `__Host-Http-bucket=${bucketAt(999)}; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax`;
  expect(page.headers['set-cookie']).toEqual([set]);
  expect(page.text).toContain('<main>/blocks  two</main>');
  expect((await ask(url, STATE_PATH)).headers['set-cookie']).toEqual([set]);
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
  await waitFor(() => expect(edge.canaries()).toEqual(['r2']));
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
  const places = [0, 500, 999, 1000, 1500, 2999, 3000, 9999];
  const seen: boolean[][] = [];
  for (const share of [10, 15.01, 30]) {
    harness.registry.startCanary(canary, share);
    await waitFor(() => expect(harness.registry.heartbeats.at(-1)?.canaries[0]?.share).toBe(share));
    const releases = await Promise.all(places.map((place) => releaseFor(url, place)));
    seen.push(releases.map((release) => release === 'r1.r2'));
  }
  expect(seen).toEqual([
    [true, true, true, false, false, false, false, false],
    [true, true, true, true, true, false, false, false],
    [true, true, true, true, true, true, false, false],
  ]);
});

test('reports the current canary to the registry', async () => {
  await startCanary(25);
  await waitFor(() => expect(harness.registry.heartbeats.at(-1)?.canaries).toHaveLength(1));
  expect(harness.registry.heartbeats.at(-1)).toEqual({
    edge: 'edge-1',
    release: 'r1',
    canaries: [{ release: 'r2', app: 'mfe-blocks', share: 25 }],
  });
});

test('a canary that cannot be loaded is not shown, and is logged', async () => {
  const { url, edge } = await harness.startServing({ pollMs: 20 });
  const bad = createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'two' } });
  harness.store.corrupt(findManifest(bad, 'mfe-blocks').assets[0]?.integrity ?? '');
  harness.registry.startCanary(bad, 99);
  await waitFor(() => harness.logged.some(({ message }) => message === 'cannot serve the release'));
  expect(edge.canaries()).toEqual([]);
  expect(await releaseFor(url, 0)).toBe('r1');
  expect(harness.registry.heartbeats.at(-1)).toMatchObject({ release: 'r1', canaries: [] });
});

test('tabs of an aborted canary are notified to leave it, tabs of the live release are not', async () => {
  const { url, edge } = await startCanary(10);
  const state = async (bucket: number) =>
    JSON.parse((await ask(url, '/__site/state?release=r1.r2', withBucket(bucket))).text) as unknown;
  expect(await state(0)).toEqual({ release: 'r1.r2', revoked: [] });
  expect(await state(9999)).toEqual({ release: 'r1', revoked: [] });
  harness.registry.abortCanary();
  await waitFor(() => expect(edge.canaries()).toEqual([]));
  expect(await state(0)).toEqual({ release: 'r1', revoked: ['r1.r2'] });
  expect(await releaseFor(url, 0)).toBe('r1');
});

test('files of an aborted canary stay available to open tabs, even while registry and store are down', async () => {
  const { url, edge, canary } = await startCanary(10);
  harness.registry.abortCanary();
  await waitFor(() => expect(edge.canaries()).toEqual([]));
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
    return edge.release() === 'r3' && edge.canaries().length === 0;
  });
  expect([...seen]).toEqual(['two']);
  expect(JSON.parse((await ask(url, '/__site/state?release=r1.r2', withBucket(0))).text)).toEqual({
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
  expect([await releaseFor(url, 0), await releaseFor(url, 9999)]).toEqual(['r1.r2', 'r1']);
  expect(edge.canaries()).toEqual(['r2']);
  await harness.store.put(integrity, bytes ?? Buffer.alloc(0));
  await waitFor(() => expect(edge.release()).toBe('r3'));
  expect([await releaseFor(url, 0), edge.canaries()]).toEqual(['r3', []]);
});

test('a canary whose promotion cannot be loaded is removed immediately when it is revoked', async () => {
  const { url, edge } = await startCanary(10);
  const promoted = createSampleRelease(harness.store, { id: 'r3', editions: { 'mfe-blocks': 'three' } });
  harness.store.corrupt(findManifest(promoted, 'mfe-blocks').assets[0]?.integrity ?? '');
  harness.registry.activate(promoted);
  await waitFor(() => harness.logged.some(({ message }) => message === 'cannot serve the release'));
  expect(edge.canaries()).toEqual(['r2']);
  harness.registry.activate(promoted, { revoked: ['r2'] });
  await waitFor(() => expect(edge.canaries()).toEqual([]));
  expect(await releaseFor(url, 0)).toBe('r1');
});

test('a canary survives a restart without registry', async () => {
  const first = await startCanary(10);
  await waitFor(() => expect(harness.registry.heartbeats.at(-1)?.canaries).toHaveLength(1));
  await first.stop();
  await harness.registry.goAway();
  const { url, edge } = await harness.start({ restartPatienceMs: 1 });
  await waitFor(() => expect(edge.canaries()).toEqual(['r2']));
  expect(edge.release()).toBe('r1');
  expect(await Promise.all([999, 1000].map((place) => releaseFor(url, place)))).toEqual(['r1.r2', 'r1']);
});

test('with a remote store, an edge restarts without registry and store', async () => {
  const first = await startCanary(10, { isStoreRemote: true });
  await first.stop();
  await harness.registry.goAway();
  harness.store.goAway();
  const { url, edge } = await harness.start({ isStoreRemote: true, restartPatienceMs: 1 });
  await waitFor(() => expect(edge.canaries()).toEqual(['r2']));
  expect(edge.release()).toBe('r1');
  const page = await ask(url, '/blocks', withBucket(0));
  const script = readPreloads(page.text)[0]?.href ?? '';
  expect((await ask(url, script)).text).toBe('/* mfe-blocks two */');
});

describe('canaries of several apps', () => {
  /** r1 is live; r2, r3 and r4 are canaries of the shell, mfe-blocks and mfe-partners. */
  async function startThree(share = 50) {
    const started = await harness.startServing({ pollMs: 20 });
    for (const [id, app] of [
      ['r2', 'shell'],
      ['r3', 'mfe-blocks'],
      ['r4', 'mfe-partners'],
    ] as const)
      harness.registry.startCanary(
        createSampleRelease(harness.store, { id, editions: { [app]: 'two' } }),
        share,
      );
    await waitFor(() => expect(started.edge.canaries()).toEqual(['r2', 'r3', 'r4']));
    return started;
  }

  /** A bucket of a visitor that sees exactly these canaries. */
  function bucketOf(...ids: string[]): number {
    const seen = (bucket: number) =>
      ['r2', 'r3', 'r4'].filter((release) => seesCanary(bucket, { release, share: 50 }));
    return Array.from({ length: BUCKETS }, (_, bucket) => bucket).find(
      (bucket) => seen(bucket).join() === ids.join(),
    ) as number;
  }

  const all = [[], ['r2'], ['r3'], ['r4'], ['r2', 'r3'], ['r2', 'r4'], ['r3', 'r4'], ['r2', 'r3', 'r4']];

  test.each(all.map((ids) => [ids]))(
    'a visitor of %j gets exactly their versions, on every page',
    async (ids) => {
      const { url } = await startThree();
      const bucket = bucketOf(...ids);
      const table = await tableFor(url, bucket);
      expect(table.release).toBe(['r1', ...ids].join('.'));
      for (const [app, path, id] of [
        ['mfe-blocks', '/blocks', 'r3'],
        ['mfe-partners', '/partners', 'r4'],
        ['mfe-marketing', '/start', 'never'],
      ] as const) {
        const { text } = await ask(url, path, cookie(bucket));
        const boot = bootDataIn(text);
        expect([path, boot.frame]).toEqual([path, table.frame]);
        expect(table.remotes).toContainEqual(expect.objectContaining(boot.remotes[0]!));
        expect([
          path,
          text.includes(`<main>${path}  ${ids.includes(id as never) ? 'two' : 'one'}</main>`),
        ]).toEqual([path, true]);
        expect(boot.remotes[0]?.name).toBe(app);
      }
    },
  );

  test('aborting one and promoting another leaves the third as it was', async () => {
    const { url, edge } = await startThree();
    const [both, third] = [bucketOf('r3', 'r4'), bucketOf('r4')];
    harness.registry.promoteCanary('r3', 'r5');
    await waitFor(() => expect([edge.release(), edge.canaries()]).toEqual(['r5', ['r2', 'r4']]));
    harness.registry.abortCanary('r2');
    await waitFor(() => expect(edge.canaries()).toEqual(['r4']));
    for (const bucket of [both, third])
      await waitFor(async () => expect((await tableFor(url, bucket)).release).toBe('r5.r4'));
    expect((await ask(url, '/blocks', cookie(bucketOf()))).text).toContain('<main>/blocks  two</main>');
    const { headers } = await ask(url, '/start', cookie(both));
    expect(headers['cache-control']).toBe('no-cache, no-transform');
  });

  test('a tab leaves its set only if one of its canaries was aborted', async () => {
    const { url, edge } = await startThree();
    harness.registry.abortCanary('r3');
    await waitFor(() => expect(edge.canaries()).toEqual(['r2', 'r4']));
    const revoked = async (set: string) =>
      (JSON.parse((await ask(url, `/__site/state?release=${set}`)).text) as { revoked: string[] }).revoked;
    expect(await revoked('r1.r4')).toEqual([]);
    expect(await revoked('r1.r3.r4')).toEqual(['r1.r3.r4']);
  });

  test('a canary that cannot be loaded does not affect the others', async () => {
    const { edge, url } = await harness.startServing({ pollMs: 20 });
    const bad = createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'two' } });
    harness.store.corrupt(findManifest(bad, 'mfe-blocks').assets[0]?.integrity ?? '');
    harness.registry.startCanary(bad, 50);
    const good = createSampleRelease(harness.store, { id: 'r3', editions: { 'mfe-partners': 'two' } });
    harness.registry.startCanary(good, 50);
    await waitFor(() => expect(edge.canaries()).toEqual(['r3']));
    expect((await tableFor(url, bucketAt(0, 'r3'))).release).toBe('r1.r3');
  });
});

test("visitors get the live page until the canary's page is rendered", async () => {
  const { url, edge } = await harness.startServing({ pollMs: 20 });
  const canary = createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'two' } });
  const { '/blocks': page, ...others } = canary.rendered;
  harness.registry.startCanary({ ...canary, rendered: others }, 50);
  await waitFor(() => expect(edge.canaries()).toEqual(['r2']));
  const main = async (path: string) =>
    /<main>([^<]*)<\/main>/.exec((await ask(url, path, withBucket(0))).text)?.[1];
  expect([await main('/blocks'), await main('/blocks/auth')]).toEqual(['/blocks  one', '/blocks/auth  two']);
  harness.registry.startCanary({ ...canary, rendered: { ...others, '/blocks': page ?? {} } }, 50);
  await waitFor(async () => expect(await main('/blocks')).toBe('/blocks  two'));
});
