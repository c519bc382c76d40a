import { STATE_PATH } from '@site/contract';
import { waitFor } from '@site/server/testing/wait-for';
import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest, sampleAsset } from '../testing/edge-harness.ts';
import { samplePreview } from '../testing/fake-registry.ts';
import { createSampleRelease } from '../testing/sample-release.ts';

const harness = edgeHarnessForEachTest();

const lifetime = (value: string) => ({ 'cdn-cache-control': value, 'surrogate-control': value });
const SHORT = lifetime('max-age=1');
const keys = (...names: string[]) => ({ 'surrogate-key': names.join(' '), 'cache-tag': names.join(',') });
const cacheHeaders = ['surrogate-key', 'cache-tag', 'cdn-cache-control', 'surrogate-control'];
const cachingOf = async (url: string, path: string, cookie?: string) => {
  const { headers } = await ask(url, path, cookie === undefined ? {} : { headers: { cookie } });
  return Object.fromEntries(Object.entries(headers).filter(([name]) => cacheHeaders.includes(name)));
};

test('public responses name what they depend on, for shared caches', async () => {
  const { url, document } = await harness.startServing();
  const { apps } = document.release;
  const named = (app: string) => [app, `${app}@${apps[app]}`];
  const page = keys(...named('shell'), ...named('mfe-blocks'), 'site:config');
  expect(await cachingOf(url, '/blocks/auth')).toEqual({ ...page, ...SHORT });
  for (const path of [STATE_PATH, '/sitemap.xml', '/robots.txt', '/', '/blocks/auth/', '/blocks/..%2f'])
    expect([path, await cachingOf(url, path)]).toEqual([path, { ...keys('site:table'), ...SHORT }]);
  // Immutable, so they have no other lifetime.
  const { url: asset } = sampleAsset(document, 'mfe-blocks', 'js');
  expect(await cachingOf(url, asset)).toEqual(keys(`mfe-blocks@${apps['mfe-blocks']}`));
});

test('personal, drawn and filtered pages, previews and failures name nothing', async () => {
  const { url, edge } = await harness.startServing();
  const previewed = createSampleRelease(harness.store, { id: 'r1', editions: { 'mfe-blocks': 'previewed' } });
  const linkId = 'a'.repeat(43);
  const version = String(previewed.release.apps['mfe-blocks']);
  harness.registry.previews.set(linkId, { document: previewed, preview: samplePreview({ version }) });
  for (const path of ['/blocks/auth', STATE_PATH, '/', '/unknown.txt'])
    expect([path, await cachingOf(url, path, `__Host-Http-preview=${linkId}`)]).toEqual([path, {}]);
  for (const path of ['/home', '/blocks/auth?a=1', '/__site/search?q=auth', '/assets/mfe-blocks/lost.js'])
    expect([path, await cachingOf(url, path)]).toEqual([path, {}]);
  harness.registry.startCanary(
    createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'two' } }),
    50,
  );
  await waitFor(() => expect(edge.canaries()).toEqual(['r2']));
  for (const path of ['/blocks/auth', STATE_PATH, '/', '/unknown.txt'])
    expect([path, await cachingOf(url, path)]).toEqual([path, {}]);
  expect(await cachingOf(url, '/start')).toMatchObject(SHORT);
});

test('caches may keep a page for a day only while a registry confirms that it purges them', async () => {
  harness.registry.purges = true;
  const { url, edge, document } = await harness.startServing();
  const shown = async () => await cachingOf(url, '/blocks/auth');
  await waitFor(async () =>
    expect(await shown()).toMatchObject(
      lifetime('max-age=86400, stale-while-revalidate=60, stale-if-error=86400'),
    ),
  );
  // Their text contains a request id.
  expect(await cachingOf(url, '/unknown.txt')).toMatchObject(SHORT);
  const { url: asset } = sampleAsset(document, 'mfe-blocks', 'js');
  const { status, headers } = await ask(url, asset, { headers: { range: 'bytes=999999999-' } });
  expect([status, headers['cdn-cache-control'], headers['surrogate-control']]).toEqual([
    416,
    undefined,
    undefined,
  ]);
  harness.registry.purges = false;
  harness.registry.activate(createSampleRelease(harness.store, { id: 'r2' }));
  await waitFor(() => expect(edge.release()).toBe('r2'));
  await waitFor(async () => expect(await shown()).toMatchObject(SHORT));
});
