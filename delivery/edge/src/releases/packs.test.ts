import type { ReleaseDocument } from '@site/contract';
import type { BlobReader } from '../files/load-blob.ts';
import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest, sampleAsset } from '../testing/edge-harness.ts';
import { createMemoryStore, type MemoryStore } from '../testing/memory-store.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';
import { withPacks } from '../testing/with-packs.ts';
import { loadRelease } from './load-release.ts';
import type { LoadedRelease } from './loaded-release.ts';

let store: MemoryStore;
let read: string[];
let reading: BlobReader;
beforeEach(() => {
  store = createMemoryStore();
  read = [];
  reading = {
    get(integrity) {
      read.push(integrity);
      return store.get(integrity);
    },
    getEncoded(integrity, encoding) {
      read.push(integrity);
      return store.getEncoded(integrity, encoding);
    },
  };
});

const listPacks = ({ packs }: ReleaseDocument) => [
  ...Object.values(packs?.files ?? {}),
  ...Object.values(packs?.pages ?? {}).flat(),
];

async function served({ assets, pages }: LoadedRelease): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const [url, { body }] of assets) {
    all[url] = `${body.identity.toString()} ${body.br?.toString('base64')} ${body.tag}`;
  }
  for (const [path, { documents }] of pages) {
    for (const [key, document] of documents) all[path + key] = (await document()).body.identity.toString();
  }
  return all;
}

test('a release is read as one pack per version and one for its pages, and nothing else', async () => {
  const document = await withPacks(store, createSampleRelease(store, { id: 'r1' }));
  const loaded = await loadRelease(document, reading);
  // A single page has no pack.
  const [single = ''] = Object.values(document.rendered['/partners'] ?? {});
  expect(read.sort()).toEqual([...listPacks(document), single].sort());
  const { packs: _, ...unpacked } = document;
  expect(await served(loaded)).toEqual(await served(await loadRelease(unpacked, store)));
});

test('only new packs are read for the next release', async () => {
  const first = await withPacks(store, createSampleRelease(store, { id: 'r1' }));
  const next = await withPacks(
    store,
    createSampleRelease(store, { id: 'r2', editions: { 'mfe-blocks': 'two' } }),
  );
  const live = await loadRelease(first, reading);
  read = [];
  const after = await loadRelease(next, reading, { known: [live] });
  const isNew = listPacks(next).filter((pack) => !listPacks(first).includes(pack));
  expect([isNew.length, read.sort()]).toEqual([2, isNew.sort()]);
  read = [];
  await loadRelease(first, reading, { known: [after] });
  expect(read.sort()).toEqual(
    listPacks(first)
      .filter((pack) => !listPacks(next).includes(pack))
      .sort(),
  );
});

test('a pack is read even if all its files are known, because a restart needs it on disk', async () => {
  const first = createSampleRelease(store, { id: 'r1' });
  const live = await loadRelease(first, reading);
  read = [];
  const packed = await withPacks(store, { ...first, release: { ...first.release, id: 'r2' } });
  await loadRelease(packed, reading, { known: [live] });
  expect(read.sort()).toEqual(listPacks(packed).sort());
});

test.each<[string, (document: ReleaseDocument) => Promise<unknown>]>([
  ['is lost', (document) => Promise.all(listPacks(document).map((pack) => store.delete(pack)))],
  [
    'is damaged',
    (document) => {
      for (const pack of listPacks(document)) store.corrupt(pack);
      return Promise.resolve();
    },
  ],
  [
    'holds something else',
    (document) => {
      const other = store.add('no pack');
      const { files = {}, pages = {} } = document.packs ?? {};
      for (const name of Object.keys(files)) files[name] = other;
      for (const app of Object.keys(pages)) pages[app] = [other];
      return Promise.resolve();
    },
  ],
])('when a pack %s, its contents are read file by file', async (_, damage) => {
  const document = await withPacks(store, createSampleRelease(store, { id: 'r1' }));
  const whole = await served(await loadRelease(document, store));
  await damage(document);
  expect(await served(await loadRelease(document, store))).toEqual(whole);
});

describe('an edge with copies of a remote store', () => {
  const harness = edgeHarnessForEachTest();

  test('restarts from the packs on disk, and has the files of previous releases', async () => {
    const pack = (id: string, edition: string) =>
      createSampleRelease(harness.store, { id, editions: { 'mfe-blocks': edition } });
    const first = await withPacks(harness.store, pack('r1', 'one'));
    harness.registry.activate(first);
    const started = await harness.start({ isStoreRemote: true });
    await waitFor(() => expect(started.edge.release()).toBe('r1'));
    harness.registry.activate(await withPacks(harness.store, pack('r2', 'two')));
    await waitFor(() => expect(started.edge.release()).toBe('r2'));
    await started.stop();
    await harness.registry.goAway();
    harness.store.goAway();

    const { edge, url } = await harness.start({ isStoreRemote: true });
    await waitFor(() => expect(edge.release()).toBe('r2'));
    expect((await ask(url, '/blocks')).text).toContain('<main>/blocks  two</main>');
    expect((await ask(url, '/policies/terms-of-service')).status).toBe(200);
    const previous = await ask(url, sampleAsset(first, 'mfe-blocks', 'js').url);
    expect([previous.status, previous.text]).toEqual([200, '/* mfe-blocks one */']);
  });
});
