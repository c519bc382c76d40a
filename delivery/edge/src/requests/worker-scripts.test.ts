import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest, sampleAsset } from '../testing/edge-harness.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();
const fetchStatus = async (url: string, target: string, headers: Record<string, string>) =>
  (await ask(url, target, { headers })).status;
const asWorker = { 'sec-fetch-dest': 'worker' };

test('no script is served as a service worker or shared worker, whichever app and release it belongs to', async () => {
  const { url, document } = await harness.startServing();
  harness.registry.assets.set('mfe-blocks/old.abc.js', harness.store.add('old()'));
  for (const target of [
    sampleAsset(document, 'mfe-blocks', 'js').url,
    sampleAsset(document, 'shell', 'js').url,
    '/assets/mfe-blocks/old.abc.js',
    '/assets/mfe-blocks/unknown.abc.js',
    '/home',
    '/robots.txt',
  ])
    for (const headers of [
      { 'service-worker': 'script' },
      { 'sec-fetch-dest': 'serviceworker' },
      { 'sec-fetch-dest': 'sharedworker' },
    ]) {
      const refused = await ask(url, target, { headers });
      expect([target, refused.status, refused.headers['cache-control']]).toEqual([target, 410, 'no-store']);
    }
  expect(harness.registry.requests.filter((path) => path.startsWith('/v1/assets/'))).toEqual([]);
});

test("a previous site's service worker is replaced by one that removes itself", async () => {
  const document = createSampleRelease(harness.store, { id: 'r1' });
  document.release.config = { ...document.release.config, formerWorkers: ['/old-sw.js'] };
  harness.registry.activate(document);
  const { edge, url } = await harness.start();
  await waitFor(() => expect(edge.release()).toBe('r1'));
  const { status, headers, text } = await ask(url, '/old-sw.js', { headers: { 'service-worker': 'script' } });
  expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(text).toContain('registration.unregister()');
});

test("other workers are the shell's only, and those of a revoked release are gone", async () => {
  const { url, edge, document } = await harness.startServing();
  // A file that each edition of the sample shell has under another name.
  const worker = sampleAsset(document, 'shell', 'css').url;
  expect(await fetchStatus(url, worker, asWorker)).toBe(200);
  expect(await fetchStatus(url, sampleAsset(document, 'mfe-blocks', 'js').url, asWorker)).toBe(410);

  const next = (id: string) => createSampleRelease(harness.store, { id, edition: id });
  harness.registry.activate(next('r2'));
  await waitFor(() => expect(edge.release()).toBe('r2'));
  expect(await fetchStatus(url, worker, asWorker)).toBe(200);
  harness.registry.activate(next('r3'), { revoked: ['r1'] });
  await waitFor(() => expect(edge.release()).toBe('r3'));
  expect(await fetchStatus(url, worker, asWorker)).toBe(410);
  expect(await fetchStatus(url, worker, {})).toBe(200);
});

test('documents allow only workers of the shell', async () => {
  const { url } = await harness.startServing();
  const { headers } = await ask(url, '/home');
  expect(headers['content-security-policy']).toContain('worker-src https://www.example.com/assets/shell/;');
});
