import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { hexOf } from '@site/contract/blob-hex';
import { createBlobCache, type BlobCache } from './blob-cache.ts';
import { createMemoryStore, type MemoryStore } from '../testing/memory-store.ts';
import { bytesIn, limitDisk, unlimitDisk } from '../testing/small-disk.ts';

let folder: string;
let remote: MemoryStore;
let cache: BlobCache;
const warned: string[] = [];
const log = {
  info: () => undefined,
  warn: (_details: object, message: string) => void warned.push(message),
  error: () => undefined,
};
const long = 'a long text '.repeat(50);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  remote = createMemoryStore();
  cache = createBlobCache(remote, folder, log);
  warned.length = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('what was read once is there when the store is away, in every encoding', async () => {
  const integrity = remote.add(long);
  await cache.store.get(integrity);
  const br = await cache.store.getEncoded(integrity, 'br');
  await cache.written();
  remote.goAway();
  const restarted = createBlobCache(remote, folder, log).store;
  expect((await restarted.get(integrity))?.toString()).toBe(long);
  expect(await restarted.getEncoded(integrity, 'br')).toEqual(br);
  // Never asked for before: sent plain rather than not at all.
  expect(await restarted.getEncoded(integrity, 'gzip')).toBeNull();
});

test('that the store has no compressed copy is remembered, too', async () => {
  const integrity = remote.add('short');
  expect(await cache.store.getEncoded(integrity, 'br')).toBeNull();
  await cache.written();
  remote.goAway();
  expect(await cache.store.getEncoded(integrity, 'br')).toBeNull();
});

test('a copy that was damaged on the disk is fetched again, and repaired', async () => {
  const integrity = remote.add(long);
  await cache.store.get(integrity);
  await cache.written();
  await writeFile(join(folder, hexOf(integrity)), 'something else');
  expect((await cache.store.get(integrity))?.toString()).toBe(long);
  await cache.written();
  remote.goAway();
  expect((await cache.store.get(integrity))?.toString()).toBe(long);
});

test.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, -3)],
  ['empty', () => Buffer.alloc(0)],
  ['changed', () => Buffer.from('something else')],
  ['that of another file', () => brotliCompressSync('another file')],
])('a compressed copy on the disk that is %s is fetched again, and repaired', async (_how, damage) => {
  const integrity = remote.add(long);
  await cache.store.get(integrity);
  const br = await cache.store.getEncoded(integrity, 'br');
  await cache.written();
  const file = join(folder, `${hexOf(integrity)}.br`);
  await writeFile(file, damage(await readFile(file)));
  expect(await cache.store.getEncoded(integrity, 'br')).toEqual(br);
  await cache.written();
  remote.goAway();
  expect(await cache.store.getEncoded(integrity, 'br')).toEqual(br);
});

test('with a damaged compressed copy and no store a file is sent plain', async () => {
  const integrity = remote.add(long);
  await cache.store.get(integrity);
  await cache.store.getEncoded(integrity, 'gzip');
  await cache.written();
  await writeFile(join(folder, `${hexOf(integrity)}.gz`), 'something else');
  await cache.written();
  remote.goAway();
  expect(await cache.store.getEncoded(integrity, 'gzip')).toBeNull();
});

test('a compressed copy that is damaged in the store is not kept', async () => {
  const integrity = remote.add(long);
  remote.corruptEncodings(integrity);
  await cache.store.getEncoded(integrity, 'br');
  await cache.written();
  expect(await readdir(folder)).toEqual([]);
});

test('bytes that are damaged in the store are not kept', async () => {
  const integrity = remote.add(long);
  remote.corrupt(integrity);
  await cache.store.get(integrity);
  await cache.written();
  expect(await readdir(folder)).toEqual([]);
});

test('what no release needs any more is thrown away', async () => {
  const [needed, old] = [remote.add(`${long}1`), remote.add(`${long}2`)];
  for (const integrity of [needed, old]) {
    await cache.store.get(integrity);
    await cache.store.getEncoded(integrity, 'gzip');
  }
  await cache.keepOnly(new Set([needed]));
  expect((await readdir(folder)).sort()).toEqual([hexOf(needed), `${hexOf(needed)}.gz`]);
});

test('nothing is written before it is asked for, and what waits is read', async () => {
  const integrity = remote.add(long);
  await cache.store.get(integrity);
  expect(await readdir(folder)).toEqual([]);
  remote.goAway();
  expect((await cache.store.get(integrity))?.toString()).toBe(long);
  await cache.written();
  expect(await readdir(folder)).toEqual([hexOf(integrity)]);
});

test('what is only passing is not kept', async () => {
  const integrity = remote.add(long);
  expect((await cache.passing.get(integrity))?.toString()).toBe(long);
  for (const encoding of ['br', 'gzip'] as const)
    expect(await cache.passing.getEncoded(integrity, encoding)).not.toBeNull();
  // Nor that there is no compressed copy.
  expect(await cache.passing.getEncoded(remote.add('short'), 'br')).toBeNull();
  await cache.written();
  expect(await readdir(folder)).toEqual([]);
});

test('a disk that takes nothing is told of once, and reading goes on', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const full = createBlobCache(remote, join(file, 'below'), log);
  expect((await full.store.get(remote.add('one')))?.toString()).toBe('one');
  expect((await full.store.get(remote.add('two')))?.toString()).toBe('two');
  await full.written();
  expect(warned).toHaveLength(1);
});

describe('a disk that is full', () => {
  afterEach(unlimitDisk);

  /** What a release before has filled it with. */
  async function fill(): Promise<string> {
    const old = remote.add(`${long}old`);
    await cache.store.get(old);
    expect(await cache.written()).toBe(true);
    limitDisk(folder, bytesIn(folder) + 10);
    return old;
  }

  test('takes no part of a file', async () => {
    const old = await fill();
    await cache.store.get(remote.add(`${long}new`));
    expect(await cache.written()).toBe(false);
    expect(await readdir(folder)).toEqual([hexOf(old)]);
  });

  test('takes what it could not take before once there is room, of what is still needed', async () => {
    await fill();
    const [needed, other] = [remote.add(`${long}new`), remote.add(`${long}other`)];
    for (const integrity of [other, needed]) await cache.store.get(integrity);
    expect(await cache.written()).toBe(false);
    await cache.keepOnly(new Set([needed]));
    expect(await cache.written()).toBe(true);
    expect(await readdir(folder)).toEqual([hexOf(needed)]);
    remote.goAway();
    expect((await cache.store.get(needed))?.toString()).toBe(`${long}new`);
  });

  test('is asked for no more than the first that it has no room for', async () => {
    const old = await fill();
    const needed = [remote.add(`${long}1`), remote.add(`${long}2`)];
    for (const integrity of needed) await cache.store.get(integrity);
    await cache.keepOnly(new Set([old, ...needed]));
    // Which of them the disk refused first is up to the disk.
    expect(needed.map((integrity) => remote.reads.get(integrity)).toSorted()).toEqual([1, 2]);
    expect(await cache.written()).toBe(false);
    expect(await readdir(folder)).toEqual([hexOf(old)]);
  });
});
