import { computeIntegrity } from '@site/contract/integrity';
import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest, findManifest, sampleAsset } from '../testing/edge-harness.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();

test('source maps have no address, although they are in the store and in a manifest', async () => {
  const document = createSampleRelease(harness.store, { id: 'r1' });
  const bytes = Buffer.from('["chunk.js",{"version":3,"sources":["secret.tsx"]}]\n');
  const integrity = computeIntegrity(bytes);
  await harness.store.put(integrity, bytes);
  for (const app of ['shell', 'mfe-blocks'])
    // A registry never sends them to an edge; this one does.
    findManifest(document, app).sourceMaps = { path: 'source-maps.gz', size: bytes.length, integrity };
  harness.registry.activate(document);
  const { edge, url } = await harness.start();
  await waitFor(() => expect(edge.release()).toBe('r1'));
  const scripts = ['shell', 'mfe-blocks'].map((app) => sampleAsset(document, app, 'js').url);
  expect((await ask(url, scripts[0] ?? '')).status).toBe(200);
  const paths = [
    ...scripts.map((script) => `${script}.map`),
    '/source-maps.gz',
    '/assets/shell/source-maps.gz',
    '/assets/mfe-blocks/source-maps.gz',
    '/assets/mfe-blocks/../source-maps.gz',
    `/assets/mfe-blocks/${encodeURIComponent(integrity)}`,
  ];
  for (const path of paths) {
    const { status, text } = await ask(url, path);
    expect([path, status]).toEqual([path, 404]);
    expect(text).not.toContain('secret.tsx');
  }
  for (const path of ['/blocks', '/home']) {
    const { text } = await ask(url, path);
    expect(text).not.toMatch(/source-?maps|sourceMappingURL/i);
    expect(text).not.toContain(integrity);
  }
});
