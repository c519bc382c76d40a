import { createAssetArchive } from './asset-archive.ts';
import { createMemoryStore } from './testing/memory-store.ts';
import { until } from './testing/until.ts';
import { BusyError } from './turns.ts';

/** An archive over a store whose reads begin at once, and end when they are let go. */
function createSlowArchive() {
  const store = createMemoryStore();
  const reads: (() => void)[] = [];
  let begun = 0;
  const archive = createAssetArchive({
    store: {
      async get(integrity) {
        begun += 1;
        await new Promise<void>((go) => reads.push(go));
        return store.get(integrity);
      },
      getEncoded: () => Promise.resolve(null),
    },
    recent: () => [],
    live: () => null,
    catchUp: () => Promise.resolve(),
    askRegistry: (_app, path) => Promise.resolve(store.add(`contents of ${path}`)),
  });
  const find = (index: number) => archive.find('mfe-blocks', `chunk-${index}.abc.js`);
  return { find, begun: () => begun, letAllGo: () => reads.splice(0).forEach((go) => go()) };
}

test('files of a release that is not here yet are all found, however many are asked for at once, 16 at a time', async () => {
  const { find, begun, letAllGo } = createSlowArchive();
  const found = Promise.all(Array.from({ length: 30 }, (_, index) => find(index)));
  await until(() => begun() === 16);
  letAllGo();
  await until(() => begun() === 30);
  letAllGo();
  expect((await found).map((asset) => asset?.body.identity.toString())).toEqual(
    Array.from({ length: 30 }, (_, index) => `contents of chunk-${index}.abc.js`),
  );
});

test('many visitors who ask for the same file wait for one look-up', async () => {
  const { find, begun, letAllGo } = createSlowArchive();
  const found = Promise.all(Array.from({ length: 1000 }, () => find(0)));
  await until(() => begun() === 1);
  letAllGo();
  expect(new Set(await found).size).toBe(1);
  expect(begun()).toBe(1);
});

test('a flood of guessed names is refused, instead of being passed on to registry and store', async () => {
  const { find, begun, letAllGo } = createSlowArchive();
  const flood = Array.from({ length: 517 }, (_, index) => find(index));
  const rest = Promise.all(flood.slice(0, -1));
  await expect(flood.at(-1)).rejects.toThrow(BusyError);
  let isOver = false;
  void rest.then(() => (isOver = true));
  await until(() => {
    letAllGo();
    return isOver;
  });
  expect(begun()).toBe(516);
});
