import { brotliDecompressSync } from 'node:zlib';
import { STATE_PATH, type BootTable, type TableAnswer } from '@site/contract';
import { ask } from '../testing/ask.ts';
import {
  bootDataIn,
  createEdgeHarness,
  type EdgeHarness,
  type StartedEdge,
} from '../testing/edge-harness.ts';
import { placesIn } from './bucket.ts';
import { samplePreview } from '../testing/fake-registry.ts';
import { createSampleRelease, type SampleOptions } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';

let harness: EdgeHarness;
beforeEach(async () => {
  harness = await createEdgeHarness();
});
afterEach(() => harness.close());

type AskOptions = Parameters<typeof ask>[2];
const readBoot = async (url: string, path: string, options?: AskOptions) =>
  bootDataIn((await ask(url, path, options)).text);
const tableOf = async (url: string, options?: AskOptions) =>
  JSON.parse((await ask(url, STATE_PATH, options)).text) as TableAnswer;

const versionIn = ({ remotes }: BootTable, app: string) => remotes.find(({ name }) => name === app)?.version;
const withBucket = (bucket: number) => ({ headers: { cookie: `__Host-Http-bucket=${bucket}` } });

async function activate({ edge }: StartedEdge, options: SampleOptions) {
  const document = createSampleRelease(harness.store, options);
  harness.registry.activate(document);
  await waitFor(() => expect(edge.release()).toBe(options.id));
  return document;
}

test("a document has its own page's entries, and the state the rest of its release", async () => {
  const started = await harness.startServing();
  await activate(started, { id: 'r2', editions: { 'mfe-blocks': 'two' }, lastGoodSource: started.document });
  const { url } = started;
  const [boot, table] = [await readBoot(url, '/blocks/auth'), await tableOf(url)];
  const route = table.routes.find(({ path }) => path === '/blocks/auth');
  const { lastGood, ...own } = table.remotes.find(({ name }) => name === 'mfe-blocks')!;
  expect(lastGood?.version).toBe(started.document.release.apps['mfe-blocks']);
  expect(boot).toMatchObject({ frame: table.frame, remotes: [own], routes: [route], redirects: [] });
  expect(boot.remotes[0]).not.toHaveProperty('lastGood');
  expect([table.release, table.remotes.length, table.routes.length]).toEqual(['r2', 4, 17]);
  expect(table.redirects).toContainEqual({ from: '/', to: '/home' });
});

test('the state is compressed, and revalidated', async () => {
  const { url } = await harness.startServing();
  const { headers, body } = await ask(url, STATE_PATH);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
  });
  const encoded = await ask(url, STATE_PATH, { headers: { 'accept-encoding': 'br' } });
  expect(brotliDecompressSync(encoded.body)).toEqual(body);
  const again = { 'if-none-match': String(headers['etag']) };
  expect((await ask(url, STATE_PATH, { headers: again })).status).toBe(304);
});

test("every edge sends the same state, regardless of the order of the release's apps", async () => {
  const one = await harness.startServing();
  const { headers } = await ask(one.url, STATE_PATH);
  const { document } = one;
  const apps = Object.fromEntries(Object.entries(document.release.apps).reverse());
  const two = await harness.start({ id: 'edge-2', cacheDir: `${harness.cacheDir}/2` });
  harness.registry.activate({ ...document, release: { ...document.release, apps } }, { silently: true });
  const three = await harness.start({ id: 'edge-3', cacheDir: `${harness.cacheDir}/3` });
  for (const { edge, url } of [two, three]) {
    await waitFor(() => expect(edge.release()).toBe('r1'));
    expect((await ask(url, STATE_PATH)).headers['etag']).toBe(headers['etag']);
  }
});

describe('documents depend only on shell, remote, configuration and variant', () => {
  /** `server-timing`: the token of a document with a variant. */
  const perResponse = new Set(['x-request-id', 'date', 'connection', 'keep-alive', 'server-timing']);
  /** All loads have the same variant. */
  const start = () => harness.startServing({ random: () => 0 });
  /** Each page of the release as a new visitor gets it, by path. */
  async function pagesOf(url: string, options?: AskOptions) {
    const { routes } = await tableOf(url);
    const pages = routes.map(async ({ path, remote }) => {
      const { status, headers, text } = await ask(url, path, options);
      const kept = Object.entries(headers).filter(([name]) => !perResponse.has(name));
      return [path, { remote, status, headers: Object.fromEntries(kept), text }] as const;
    });
    return new Map(await Promise.all(pages));
  }

  test.each(['mfe-blocks', 'mfe-partners', 'mfe-policies'])(
    'another version of %s changes no page of other remotes: 304 to the old etag, with equal headers',
    async (app) => {
      const started = await start();
      const { url } = started;
      const known = await pagesOf(url);
      await activate(started, { id: 'r2', editions: { [app]: 'two' }, lastGoodSource: started.document });
      const changed = await pagesOf(url);
      for (const [path, page] of known) {
        if (page.remote === app) {
          expect([path, changed.get(path)?.text]).not.toEqual([path, page.text]);
          continue;
        }
        expect([path, changed.get(path)]).toEqual([path, page]);
        if (!page.headers['etag']) continue;
        const again = await ask(url, path, { headers: { 'if-none-match': String(page.headers['etag']) } });
        expect([path, again.status]).toEqual([path, 304]);
      }
    },
  );

  test.each([
    ['the shell', { editions: { shell: 'two' } }],
    ['the configuration', {}],
  ])('another version of %s changes every page', async (what, options) => {
    const started = await start();
    const before = await pagesOf(started.url);
    const next = createSampleRelease(harness.store, { id: 'r2', ...options });
    if (what === 'the configuration') next.release.config.gateway.appId = 'another';
    harness.registry.activate(next);
    await waitFor(() => expect(started.edge.release()).toBe('r2'));
    for (const [path, { text }] of await pagesOf(started.url))
      expect([path, text === before.get(path)?.text]).toEqual([path, false]);
  });

  test('during a canary of mfe-blocks, pages of others are public and the same for everyone', async () => {
    const { url, edge } = await start();
    const before = await pagesOf(url);
    const canary = createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'two' } });
    harness.registry.startCanary(canary, 50);
    await waitFor(() => expect(edge.canaries()).toEqual(['r2']));
    for (const cookie of ['', '__Host-Http-bucket=0', '__Host-Http-bucket=9999', 'authToken=x; _ga=1'])
      for (const [path, page] of await pagesOf(url, { headers: { cookie } })) {
        if (page.remote === 'mfe-blocks') {
          expect(page.headers['cache-control']).toBe('private, no-store, no-transform');
        } else {
          expect([path, page]).toEqual([path, before.get(path)]);
          expect(page.headers['cache-control']).toMatch(
            page.headers['etag'] ? /^no-cache, no-transform$/ : /^private, no-cache, no-transform$/,
          );
        }
      }
  });

  test('a canary of the shell concerns every page', async () => {
    const { url, edge } = await start();
    const canary = createSampleRelease(harness.store, { id: 'r2', editions: { shell: 'two' } });
    harness.registry.startCanary(canary, 50);
    await waitFor(() => expect(edge.canaries()).toEqual(['r2']));
    for (const { headers } of (await pagesOf(url)).values())
      expect(headers['cache-control']).toBe('private, no-store, no-transform');
  });
});

test('a canary has its own table for its visitors', async () => {
  const started = await harness.startServing();
  const { url, document } = started;
  const canary = createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'two' } });
  harness.registry.startCanary(canary, 10);
  await waitFor(() => expect(started.edge.canaries()).toEqual(['r2']));
  for (const [place, id, { apps }] of [
    [0, 'r1.r2', canary.release],
    [9999, 'r1', document.release],
  ] as const) {
    const bucket = placesIn('r2').indexOf(place);
    const { headers } = await ask(url, STATE_PATH, withBucket(bucket));
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'Accept-Encoding, Cookie' });
    const table = await tableOf(url, withBucket(bucket));
    expect([table.release, versionIn(table, 'mfe-blocks')]).toEqual([id, apps['mfe-blocks']]);
  }
});

test('a preview has its own table, even on an edge that has not shown the preview yet', async () => {
  const one = await harness.startServing();
  const two = await harness.start({ id: 'edge-2', cacheDir: `${harness.cacheDir}/2` });
  await waitFor(() => expect(two.edge.release()).toBe('r1'));
  const linkId = 'a'.repeat(43);
  const previewed = createSampleRelease(harness.store, { id: 'r1', editions: { 'mfe-blocks': 'previewed' } });
  const version = String(previewed.release.apps['mfe-blocks']);
  harness.registry.previews.set(linkId, { document: previewed, preview: samplePreview({ version }) });
  const visitor = { headers: { cookie: `__Host-Http-preview=${linkId}` } };
  const [live, table] = [await tableOf(two.url), await tableOf(two.url, visitor)];
  expect(versionIn(table, 'mfe-blocks')).toBe(version);
  // A tab of the site never takes a preview's table, nor the other way round.
  expect(table.frame).not.toBe(live.frame);
  expect((await readBoot(one.url, '/start', visitor)).frame).toBe(table.frame);
});

test('documents are as large with 400 remotes as with 40', async () => {
  const started = await harness.startServing();
  const sizes: number[][] = [];
  for (const [index, more] of [36, 396].entries()) {
    const release = await activate(started, { id: `r${index + 2}`, more });
    expect(Object.keys(release.release.apps)).toHaveLength(4 + more + 1);
    const pages = ['/start', '/blocks/auth', '/more-7'];
    sizes.push(await Promise.all(pages.map(async (path) => (await ask(started.url, path)).body.length)));
    expect((await tableOf(started.url)).routes).toHaveLength(17 + 2 * more);
  }
  const [forty = [], fourHundred = []] = sizes;
  expect(fourHundred).toEqual(forty);
  for (const size of fourHundred) expect(size).toBeLessThan(6_000);
});
