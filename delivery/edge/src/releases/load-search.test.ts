import MiniSearch from 'minisearch';
import { createMemoryStore } from '../testing/memory-store.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { loadRelease } from './load-release.ts';

afterEach(() => jest.restoreAllMocks());

test('what can be found is gathered as soon as a release is loaded, and of a preview when somebody searches', async () => {
  const store = createMemoryStore();
  const document = createSampleRelease(store, { id: 'r1' });
  const add = jest.spyOn(MiniSearch.prototype, 'add');
  const preview = await loadRelease(document, store, { banner: 'Preview.' });
  expect(add).not.toHaveBeenCalled();
  expect((await preview.search()).find('blocks').results).not.toEqual([]);
  const ofPreview = add.mock.calls.length;
  await loadRelease(document, store);
  expect(add.mock.calls.length).toBeGreaterThan(ofPreview);
});
