import MiniSearch from 'minisearch';
import { createMemoryStore } from '../testing/memory-store.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { loadRelease } from './load-release.ts';

afterEach(() => jest.restoreAllMocks());

test('a release is indexed as soon as it is loaded, a preview on the first search', async () => {
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
