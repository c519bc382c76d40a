import { createAssetArchive } from './asset-archive.ts';
import { createMemoryStore } from '../testing/memory-store.ts';
import { waitFor } from '@site/server/testing/wait-for';
import { BusyError } from '@site/server/turns';

/** An archive over a store whose reads block until they are released. */
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
    now: Date.now,
    askRegistry: (_app, path) => Promise.resolve(store.add(`contents of ${path}`)),
  });
  // Two callers, since one caller gets at most half of the slots.
  const find = (index: number) =>
    archive.find('mfe-blocks', `chunk-${index}.abc.js`, `203.0.113.${index % 2}`);
  return { archive, find, begun: () => begun, letAllGo: () => reads.splice(0).forEach((go) => go()) };
}

test('all requested files of an unloaded release are found, 16 at a time', async () => {
  const { find, begun, letAllGo } = createSlowArchive();
  const found = Promise.all(Array.from({ length: 30 }, (_, index) => find(index)));
  await waitFor(() => expect(begun()).toBe(16));
  letAllGo();
  await waitFor(() => expect(begun()).toBe(30));
  letAllGo();
  expect((await found).map((asset) => asset?.body.identity.toString())).toEqual(
    Array.from({ length: 30 }, (_, index) => `contents of chunk-${index}.abc.js`),
  );
});

test('concurrent requests for the same file share one lookup', async () => {
  const { archive, begun, letAllGo } = createSlowArchive();
  const found = Promise.all(
    Array.from({ length: 1000 }, (_, index) =>
      archive.find('mfe-blocks', 'chunk-0.abc.js', `caller ${index}`),
    ),
  );
  await waitFor(() => expect(begun()).toBe(1));
  letAllGo();
  expect(new Set(await found).size).toBe(1);
  expect(begun()).toBe(1);
});

test('a flood of guessed names is rejected instead of being forwarded to registry and store', async () => {
  const { find, begun, letAllGo } = createSlowArchive();
  const flood = Array.from({ length: 517 }, (_, index) => find(index));
  const rest = Promise.all(flood.slice(0, -1));
  await expect(flood.at(-1)).rejects.toThrow(BusyError);
  let isOver = false;
  void rest.then(() => (isOver = true));
  await waitFor(() => {
    letAllGo();
    return isOver;
  });
  expect(begun()).toBe(516);
});

describe('guessed names', () => {
  let now: number;
  let asked: string[];
  let published: Map<string, string>;
  let letGo: (() => void)[];
  const store = createMemoryStore();
  const file = 'open-tab.abc.js';

  /** A registry that blocks requests for guessed names until they are released. */
  function createGuessedArchive() {
    now = 1_000_000;
    asked = [];
    letGo = [];
    published = new Map([[file, store.add('open()')]]);
    return createAssetArchive({
      store,
      recent: () => [],
      now: () => now,
      async askRegistry(_app, path) {
        asked.push(path);
        if (path.startsWith('slow')) await new Promise<void>((go) => letGo.push(go));
        return published.get(path) ?? null;
      },
    });
  }
  const visitor = '203.0.113.1';
  const attacker = '198.51.100.1';

  test('from one address do not starve an open tab at another, even if none of them is ever answered', async () => {
    const archive = createGuessedArchive();
    const flood = Array.from({ length: 900 }, (_, index) =>
      archive.find('mfe-blocks', `slow-${index}.js`, attacker).catch((error: unknown) => error),
    );
    expect((await archive.find('mfe-blocks', file, visitor))?.body.identity.toString()).toBe('open()');
    // Not even by requesting the tab's own file after all its guesses.
    published.set('other.abc.js', store.add('other()'));
    void archive.find('mfe-blocks', 'other.abc.js', attacker).catch(() => undefined);
    const other = await archive.find('mfe-blocks', 'other.abc.js', visitor);
    expect(other?.body.identity.toString()).toBe('other()');
    expect(asked.filter((path) => path.startsWith('slow'))).toHaveLength(8);

    let isOver = false;
    const ended = Promise.all(flood).then((results) => {
      isOver = true;
      return results;
    });
    await waitFor(() => {
      letGo.splice(0).forEach((go) => go());
      return isOver;
    });
    expect((await ended).filter((result) => result instanceof BusyError).length).toBeGreaterThan(300);
  });

  test('are looked up once, and again after 30 seconds, when they may have been published', async () => {
    const archive = createGuessedArchive();
    for (let time = 0; time < 50; time += 1)
      expect(await archive.find('mfe-blocks', 'guess.js', attacker)).toBeNull();
    expect(asked).toEqual(['guess.js']);
    published.set('guess.js', store.add('late()'));
    now += 30_001;
    expect((await archive.find('mfe-blocks', 'guess.js', visitor))?.body.identity.toString()).toBe('late()');
  });

  test('are cached up to a limit, evicting the oldest', async () => {
    const archive = createGuessedArchive();
    for (let index = 0; index <= 2_000; index += 1)
      await archive.find('mfe-blocks', `guess-${index}.js`, `198.51.100.${index % 100}`);
    asked.length = 0;
    await archive.find('mfe-blocks', 'guess-2000.js', attacker);
    expect(asked).toEqual([]);
    await archive.find('mfe-blocks', 'guess-0.js', attacker);
    expect(asked).toEqual(['guess-0.js']);
  });

  test("cannot exhaust this edge's quota at the registry: the limits are 600 per minute per address and 3,000 in total", async () => {
    const archive = createGuessedArchive();
    const guess = (name: string, address: string) =>
      archive.find('mfe-blocks', `${name}.js`, address).catch((error: unknown) => error);
    for (let index = 0; index < 600; index += 1) expect(await guess(`a-${index}`, attacker)).toBeNull();
    expect(await guess('a-600', attacker)).toBeInstanceOf(BusyError);
    expect(await guess('b', visitor)).toBeNull();
    for (let index = 0; index < 4_000; index += 1) await guess(`c-${index}`, `192.0.2.${index % 200}`);
    expect(asked).toHaveLength(3_000);
    now += 60_000;
    expect((await archive.find('mfe-blocks', file, visitor))?.body.identity.toString()).toBe('open()');
  });
});

test('recently live files are cached up to 64 MB; the least recently used are evicted and looked up on demand', async () => {
  const store = createMemoryStore();
  const asked: string[] = [];
  const archive = createAssetArchive({
    store,
    recent: () => [],
    now: Date.now,
    askRegistry(_app, path) {
      asked.push(path);
      return Promise.resolve(store.add(`contents of ${path}`));
    },
  });
  const identity = Buffer.alloc(20 * 1024 * 1024);
  const kept = ['a.js', 'b.js', 'c.js'].map(
    (name) =>
      [
        `/assets/shell/${name}`,
        {
          contentType: 'text/javascript',
          integrity: name,
          body: { identity, br: null, gzip: null, tag: name },
        },
      ] as const,
  );
  archive.keep(kept.map(([url, asset]) => [url, asset]));
  await archive.find('shell', 'a.js', 'somebody');
  archive.keep(kept.slice(0, 1).map(([, asset]) => ['/assets/shell/d.js', asset]));
  for (const name of ['a.js', 'c.js', 'd.js']) await archive.find('shell', name, 'somebody');
  expect(asked).toEqual([]);
  expect((await archive.find('shell', 'b.js', 'somebody'))?.body.identity.toString()).toBe(
    'contents of b.js',
  );
  expect(asked).toEqual(['b.js']);
});

test('an empty file is cached like any other', async () => {
  const { archive, begun } = createSlowArchive();
  archive.keep([
    [
      '/assets/mfe-blocks/empty.js',
      {
        contentType: 'text/javascript',
        integrity: 'none',
        body: { identity: Buffer.alloc(0), br: null, gzip: null, tag: 'x' },
      },
    ],
  ]);
  expect((await archive.find('mfe-blocks', 'empty.js', 'somebody'))?.body.identity.length).toBe(0);
  expect(begun()).toBe(0);
});
