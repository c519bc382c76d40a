import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { integrityHex } from '@site/contract/integrity';
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

test('blobs that were read once are available in every encoding while the store is down', async () => {
  const integrity = remote.add(long);
  await cache.store.get(integrity);
  const br = await cache.store.getEncoded(integrity, 'br');
  await cache.written();
  remote.goAway();
  const restarted = createBlobCache(remote, folder, log).store;
  expect((await restarted.get(integrity))?.toString()).toBe(long);
  expect(await restarted.getEncoded(integrity, 'br')).toEqual(br);
  // Not requested before: sent uncompressed rather than not at all.
  expect(await restarted.getEncoded(integrity, 'gzip')).toBeNull();
});

test('remembers that the store has no compressed copy', async () => {
  const integrity = remote.add('short');
  expect(await cache.store.getEncoded(integrity, 'br')).toBeNull();
  await cache.written();
  remote.goAway();
  expect(await cache.store.getEncoded(integrity, 'br')).toBeNull();
});

test('a damaged copy on disk is fetched again and repaired', async () => {
  const integrity = remote.add(long);
  await cache.store.get(integrity);
  await cache.written();
  await writeFile(join(folder, integrityHex(integrity)), 'something else');
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
])('a compressed copy on disk that is %s is fetched again and repaired', async (_how, damage) => {
  const integrity = remote.add(long);
  await cache.store.get(integrity);
  const br = await cache.store.getEncoded(integrity, 'br');
  await cache.written();
  const file = join(folder, `${integrityHex(integrity)}.br`);
  await writeFile(file, damage(await readFile(file)));
  expect(await cache.store.getEncoded(integrity, 'br')).toEqual(br);
  await cache.written();
  remote.goAway();
  expect(await cache.store.getEncoded(integrity, 'br')).toEqual(br);
});

test('with a damaged compressed copy and no store, a file is sent uncompressed', async () => {
  const integrity = remote.add(long);
  await cache.store.get(integrity);
  await cache.store.getEncoded(integrity, 'gzip');
  await cache.written();
  await writeFile(join(folder, `${integrityHex(integrity)}.gz`), 'something else');
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

test('a blob that is damaged in the store is not kept', async () => {
  const integrity = remote.add(long);
  remote.corrupt(integrity);
  await cache.store.get(integrity);
  await cache.written();
  expect(await readdir(folder)).toEqual([]);
});

test('blobs that no release needs are deleted', async () => {
  const [needed, old] = [remote.add(`${long}1`), remote.add(`${long}2`)];
  for (const integrity of [needed, old]) {
    await cache.store.get(integrity);
    await cache.store.getEncoded(integrity, 'gzip');
  }
  await cache.keepOnly(new Set([needed]));
  expect((await readdir(folder)).sort()).toEqual([integrityHex(needed), `${integrityHex(needed)}.gz`]);
});

test('nothing is written before it is requested, and pending blobs can be read', async () => {
  const integrity = remote.add(long);
  await cache.store.get(integrity);
  expect(await readdir(folder)).toEqual([]);
  remote.goAway();
  expect((await cache.store.get(integrity))?.toString()).toBe(long);
  await cache.written();
  expect(await readdir(folder)).toEqual([integrityHex(integrity)]);
});

test('transient reads are not kept', async () => {
  const integrity = remote.add(long);
  expect((await cache.passing.get(integrity))?.toString()).toBe(long);
  for (const encoding of ['br', 'gzip'] as const)
    expect(await cache.passing.getEncoded(integrity, encoding)).not.toBeNull();
  // Nor the absence of a compressed copy.
  expect(await cache.passing.getEncoded(remote.add('short'), 'br')).toBeNull();
  await cache.written();
  expect(await readdir(folder)).toEqual([]);
});

test('a disk that fails all writes is reported once, and reads continue', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const full = createBlobCache(remote, join(file, 'below'), log);
  expect((await full.store.get(remote.add('one')))?.toString()).toBe('one');
  expect((await full.store.get(remote.add('two')))?.toString()).toBe('two');
  await full.written();
  expect(warned).toHaveLength(1);
});

describe('a full disk', () => {
  afterEach(unlimitDisk);

  async function fill(): Promise<string> {
    const old = remote.add(`${long}old`);
    await cache.store.get(old);
    expect(await cache.written()).toBe(true);
    limitDisk(folder, bytesIn(folder) + 10);
    return old;
  }

  test('keeps no partial files', async () => {
    const old = await fill();
    await cache.store.get(remote.add(`${long}new`));
    expect(await cache.written()).toBe(false);
    expect(await readdir(folder)).toEqual([integrityHex(old)]);
  });

  test('receives the missing copies of needed blobs once it has space', async () => {
    await fill();
    const [needed, other] = [remote.add(`${long}new`), remote.add(`${long}other`)];
    for (const integrity of [other, needed]) await cache.store.get(integrity);
    expect(await cache.written()).toBe(false);
    await cache.keepOnly(new Set([needed]));
    expect(await cache.written()).toBe(true);
    expect(await readdir(folder)).toEqual([integrityHex(needed)]);
    remote.goAway();
    expect((await cache.store.get(needed))?.toString()).toBe(`${long}new`);
  });

  test('gets no further writes after the first that does not fit', async () => {
    const old = await fill();
    const needed = [remote.add(`${long}1`), remote.add(`${long}2`)];
    for (const integrity of needed) await cache.store.get(integrity);
    await cache.keepOnly(new Set([old, ...needed]));
    // Which of them the disk rejects first is undefined.
    expect(needed.map((integrity) => remote.reads.get(integrity)).toSorted()).toEqual([1, 2]);
    expect(await cache.written()).toBe(false);
    expect(await readdir(folder)).toEqual([integrityHex(old)]);
  });
});
