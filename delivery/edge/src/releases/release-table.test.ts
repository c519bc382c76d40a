import { brotliDecompressSync } from 'node:zlib';
import { computeIntegrity } from '@site/contract/integrity';
import type { BootTable } from '@site/contract';
import { ask } from '../testing/ask.ts';
import {
  bootDataIn,
  createEdgeHarness,
  findManifest,
  type EdgeHarness,
  type StartedEdge,
} from '../testing/edge-harness.ts';
import { samplePreview } from '../testing/fake-registry.ts';
import { createSampleRelease, type SampleOptions } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';

let harness: EdgeHarness;
beforeEach(async () => {
  harness = await createEdgeHarness();
});
afterEach(() => harness.close());

/** Forces every table into a separate file. */
const outside = { inlineTableBytes: 0 };
const readBoot = async (url: string, path: string, options?: Parameters<typeof ask>[2]) =>
  bootDataIn((await ask(url, path, options)).text);

async function tableUrl(url: string, options?: Parameters<typeof ask>[2]): Promise<string> {
  const { table } = await readBoot(url, '/blocks', options);
  if (!table) throw new Error('The document names no table.');
  return table.url;
}

const namesIn = ({ remotes, routes, redirects }: BootTable) => ({
  remotes: remotes.map(({ name }) => name).sort(),
  routes: routes.map(({ path }) => path).sort(),
  redirects: redirects.map(({ from }) => from).sort(),
});

async function activate({ edge }: StartedEdge, options: SampleOptions) {
  const document = createSampleRelease(harness.store, options);
  harness.registry.activate(document);
  await waitFor(() => expect(edge.release()).toBe(options.id));
  return document;
}

test('every document of a small release embeds the table', async () => {
  const { url } = await harness.startServing();
  const boot = await readBoot(url, '/blocks');
  expect(boot.table).toBeUndefined();
  expect(boot.remotes).toHaveLength(4);
});

test("with a large table, a document embeds its own page's entries and the table's URL", async () => {
  const whole = await harness.startServing();
  const started = await harness.start({ ...outside, id: 'edge-2', cacheDir: `${harness.cacheDir}/2` });
  await waitFor(() => expect(started.edge.release()).toBe('r1'));
  await activate(whole, { id: 'r2', editions: { 'mfe-blocks': 'two' }, lastGoodSource: whole.document });
  await waitFor(() => expect(started.edge.release()).toBe('r2'));
  const inline = await readBoot(whole.url, '/blocks/auth');
  const boot = await readBoot(started.url, '/blocks/auth');
  expect(boot).toEqual({
    ...inline,
    remotes: inline.remotes.filter(({ name }) => name === 'mfe-blocks'),
    routes: inline.routes.filter(({ path }) => path === '/blocks/auth'),
    redirects: [],
    table: boot.table,
  });
  expect(boot.remotes[0]?.lastGood).toBeDefined();

  const { url = '', integrity } = boot.table ?? {};
  const { headers, body, text } = await ask(started.url, url);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(computeIntegrity(body)).toBe(integrity);
  const table = JSON.parse(text) as BootTable;
  expect(namesIn(table)).toEqual(namesIn(inline));
  expect(table.routes).toEqual(expect.arrayContaining(inline.routes));
  expect(table.remotes).toEqual(expect.arrayContaining(inline.remotes));
  expect(table.redirects).toEqual(expect.arrayContaining(inline.redirects));
  const encoded = await ask(started.url, url, { headers: { 'accept-encoding': 'br' } });
  expect(brotliDecompressSync(encoded.body)).toEqual(body);
});

test("every edge gives a table the same URL, regardless of the order of the release's apps", async () => {
  const one = await harness.startServing(outside);
  const url = await tableUrl(one.url);
  const { document } = one;
  const apps = Object.fromEntries(Object.entries(document.release.apps).reverse());
  harness.registry.activate({ ...document, release: { ...document.release, id: 'r2', apps } });
  await waitFor(() => expect(one.edge.release()).toBe('r2'));
  const two = await harness.start({ ...outside, id: 'edge-2', cacheDir: `${harness.cacheDir}/2` });
  await waitFor(() => expect(two.edge.release()).toBe('r2'));
  expect([await tableUrl(one.url), await tableUrl(two.url)]).toEqual([url, url]);
  expect((await ask(two.url, url)).body).toEqual((await ask(one.url, url)).body);
});

test('a release with another build has another table; the previous one is still served, even after a restart', async () => {
  const started = await harness.startServing(outside);
  const before = await tableUrl(started.url);
  const { body } = await ask(started.url, before);
  await activate(started, { id: 'r2', editions: { 'mfe-partners': 'two' } });
  expect(await tableUrl(started.url)).not.toBe(before);
  expect((await ask(started.url, before)).body).toEqual(body);
  await started.stop();
  await harness.registry.goAway();

  const restarted = await harness.start(outside);
  const after = await ask(restarted.url, before);
  expect([after.status, after.headers['cache-control']]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ]);
  expect(after.body).toEqual(body);
});

test('an unknown table name is not found, and is not looked up as a file', async () => {
  const { url } = await harness.startServing(outside);
  const asked = harness.registry.requests.length;
  for (const name of ['table.0123456789abcdef0123456789abcdef.json', 'main.js', '../shell/main.js']) {
    const { status, headers } = await ask(url, `/assets/release/${name}`);
    expect([name, status, headers['cache-control']]).toEqual([name, 404, 'no-store']);
  }
  const since = harness.registry.requests.slice(asked).filter((path) => path.startsWith('/v1/assets/'));
  expect(since).toEqual([]);
});

test("made-up table names cannot exhaust this edge's quota at the registry", async () => {
  const { url } = await harness.startServing({ ...outside, pollMs: 2 ** 30, now: () => 0 });
  const asked = harness.registry.requests.length;
  const guess = async (index: number) =>
    (await ask(url, `/assets/release/table.${String(index).padStart(32, '0')}.json`)).status;
  for (let index = 0; index < 600; index += 1) expect(await guess(index)).toBe(404);
  expect([await guess(601), await guess(602)]).toEqual([429, 429]);
  expect(harness.registry.requests.length - asked).toBeGreaterThan(0);
});

async function startBehindAnother() {
  const { url, edge } = await harness.startServing(outside);
  const newer = createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-partners': 'two' } });
  harness.registry.activate(newer, { silently: true });
  const ahead = await harness.start({ ...outside, id: 'edge-2', cacheDir: `${harness.cacheDir}/2` });
  await waitFor(() => expect(ahead.edge.release()).toBe('r2'));
  return { url, edge, ahead, newer };
}

test('an edge without the release loads it when its table is requested', async () => {
  const { url, edge, ahead } = await startBehindAnother();
  expect(edge.release()).toBe('r1');
  const table = await tableUrl(ahead.url);
  const { status, body } = await ask(url, table);
  expect(status).toBe(200);
  expect(body).toEqual((await ask(ahead.url, table)).body);
  expect(edge.release()).toBe('r2');
});

test('an edge that cannot load a release responds "try again" for its table, not "not found"', async () => {
  const { url, edge, ahead, newer } = await startBehindAnother();
  const table = await tableUrl(ahead.url);
  harness.store.corrupt(findManifest(newer, 'mfe-partners').assets[0]?.integrity ?? '');
  const damaged = await ask(url, table);
  await harness.registry.goAway();
  const away = await ask(url, table);
  for (const { status, headers } of [damaged, away])
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([504, '5', 'no-store']);
  expect(edge.release()).toBe('r1');
});

test('a canary has its own table, and both are served to everyone', async () => {
  const started = await harness.startServing(outside);
  const canary = createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'two' } });
  harness.registry.startCanary(canary, 10);
  await waitFor(() => expect(started.edge.canary()).toBe('r2'));
  const [seen, other] = [0, 9999].map((bucket) => ({ headers: { cookie: `__Host-Http-bucket=${bucket}` } }));
  const tables = [await tableUrl(started.url, seen), await tableUrl(started.url, other)];
  expect(new Set(tables).size).toBe(2);
  for (const visitor of [seen, other])
    for (const table of tables) expect((await ask(started.url, table, visitor)).status).toBe(200);

  harness.registry.abortCanary();
  await waitFor(() => expect(started.edge.canary()).toBeNull());
  for (const table of tables) expect((await ask(started.url, table, seen)).status).toBe(200);
});

test('a preview has its own table, even on an edge that has not shown the preview yet', async () => {
  const one = await harness.startServing(outside);
  const two = await harness.start({ ...outside, id: 'edge-2', cacheDir: `${harness.cacheDir}/2` });
  await waitFor(() => expect(two.edge.release()).toBe('r1'));
  const linkId = 'a'.repeat(43);
  const previewed = createSampleRelease(harness.store, { id: 'r1', editions: { 'mfe-blocks': 'previewed' } });
  harness.registry.previews.set(linkId, {
    document: previewed,
    preview: samplePreview({ version: String(previewed.release.apps['mfe-blocks']) }),
  });
  const visitor = { headers: { cookie: `__Host-Http-preview=${linkId}` } };
  const table = await tableUrl(one.url, visitor);
  expect(table).not.toBe(await tableUrl(one.url));
  expect((await ask(two.url, table)).status).toBe(404);
  const { status, text } = await ask(two.url, table, visitor);
  expect(status).toBe(200);
  expect(text).toContain(String(previewed.release.apps['mfe-blocks']));
  // Tabs opened before the preview now send its cookie.
  expect((await ask(two.url, await tableUrl(one.url), visitor)).status).toBe(200);
});

test('documents are as large with 400 remotes as with 40', async () => {
  const started = await harness.startServing();
  const sizes: number[][] = [];
  for (const [index, more] of [36, 396].entries()) {
    const release = await activate(started, { id: `r${index + 2}`, more });
    expect(Object.keys(release.release.apps)).toHaveLength(4 + more + 1);
    const pages = ['/start', '/blocks/auth', '/more-7'];
    sizes.push(await Promise.all(pages.map(async (path) => (await ask(started.url, path)).body.length)));
    const { table } = await readBoot(started.url, '/start');
    const { routes } = JSON.parse((await ask(started.url, table?.url ?? '')).text) as BootTable;
    expect(routes).toHaveLength(17 + 2 * more);
  }
  const [forty = [], fourHundred = []] = sizes;
  for (const [index, size] of fourHundred.entries()) {
    expect(size).toBeLessThan(6_000);
    expect(Math.abs(size - (forty[index] ?? 0))).toBeLessThan(10);
  }
});
