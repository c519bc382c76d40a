import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';

const registry = forEachTest(createHarness);

test('a server bundle that was modified in the store is never run', async () => {
  const { shell } = await registry.startSite();
  const { get } = registry.store;
  registry.store.get = async (integrity) =>
    integrity === shell.server.integrity ? Buffer.from('module.exports = steal()') : get(integrity);
  registry.composer.requests.length = 0;

  const { status, body } = await registry.publish(
    remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 }),
  );
  expect({ status, body }).toMatchObject({
    status: 422,
    body: {
      errors: [{ code: 'blob_missing', detail: expect.stringMatching(/damaged in the store/) as string }],
    },
  });
  expect(registry.composer.requests).toEqual([]);
});
