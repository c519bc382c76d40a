import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { ArtifactStoreError, IntegrityMismatchError } from './artifact-store.ts';
import { createDiskStore } from './disk-store.ts';
import { hexOf, integrityFromHex, integrityOf } from './integrity.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artifacts-'));
});
afterEach(async () => {
  await chmod(folder, 0o755);
  await rm(folder, { recursive: true });
});

const script = Buffer.from('export const answer = 42;\n'.repeat(100));

test('gives back the bytes that were put, also to another store over the same folder', async () => {
  await createDiskStore(folder).put(integrityOf(script), script);
  const store = createDiskStore(folder);
  expect(await store.has(integrityOf(script))).toBe(true);
  expect(await store.sizeOf(integrityOf(script))).toBe(script.length);
  expect(await store.get(integrityOf(script))).toEqual(script);
});

test('answers null for a blob that it does not have', async () => {
  const store = createDiskStore(folder);
  expect(await store.has(integrityOf(script))).toBe(false);
  expect(await store.get(integrityOf(script))).toBeNull();
  expect(await store.getEncoded(integrityOf(script), 'br')).toBeNull();
});

test('refuses bytes that are not those the integrity names, and keeps nothing of them', async () => {
  const store = createDiskStore(folder);
  const announced = integrityOf(Buffer.from('something else'));
  await expect(store.put(announced, script)).rejects.toThrow(IntegrityMismatchError);
  expect(await store.has(announced)).toBe(false);
  expect(await readdir(folder)).toEqual([]);
});

test('keeps a brotli and a gzip copy of text, each smaller than the original', async () => {
  const store = createDiskStore(folder);
  await store.put(integrityOf(script), script);
  const br = await store.getEncoded(integrityOf(script), 'br');
  const gz = await store.getEncoded(integrityOf(script), 'gzip');
  expect(brotliDecompressSync(br ?? '')).toEqual(script);
  expect(gunzipSync(gz ?? '')).toEqual(script);
  expect(br?.length).toBeLessThan(script.length);
});

test('keeps no copy of bytes that do not compress', async () => {
  const store = createDiskStore(folder);
  const font = randomBytes(2_000);
  await store.put(integrityOf(font), font);
  expect(await store.getEncoded(integrityOf(font), 'br')).toBeNull();
  expect(await store.getEncoded(integrityOf(font), 'gzip')).toBeNull();
  expect(await store.get(integrityOf(font))).toEqual(font);
});

test('makes no copies of what is never served, and makes them when the same content is served after all', async () => {
  const store = createDiskStore(folder);
  await store.put(integrityOf(script), script, { served: false });
  expect(await store.getEncoded(integrityOf(script), 'br')).toBeNull();
  await store.put(integrityOf(script), script);
  expect(await store.getEncoded(integrityOf(script), 'br')).not.toBeNull();
});

test('the same blob put many times at once is one blob, and leaves no temporary file', async () => {
  const store = createDiskStore(folder);
  await Promise.all(Array.from({ length: 8 }, () => store.put(integrityOf(script), script)));
  const hex = hexOf(integrityOf(script));
  expect((await readdir(join(folder, 'blobs', hex.slice(0, 2)))).sort()).toEqual([
    hex,
    `${hex}.br`,
    `${hex}.gz`,
  ]);
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);
});

test('replaces a file that was cut short on the disk', async () => {
  const store = createDiskStore(folder);
  await store.put(integrityOf(script), script);
  const hex = hexOf(integrityOf(script));
  await writeFile(join(folder, 'blobs', hex.slice(0, 2), hex), 'export');
  await store.put(integrityOf(script), script);
  expect(await store.get(integrityOf(script))).toEqual(script);
});

test('says what is wrong when the folder is none', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const put = createDiskStore(file).put(integrityOf(script), script);
  await expect(put).rejects.toThrow(ArtifactStoreError);
  await expect(put).rejects.toThrow(/it is not a folder/);
});

test('refuses keys that are not integrities, so that no key leads out of the folder', async () => {
  const store = createDiskStore(folder);
  await expect(store.get('sha384-../../etc/passwd')).rejects.toThrow(TypeError);
  expect(() => integrityFromHex('../x')).toThrow(TypeError);
  expect(integrityFromHex(hexOf(integrityOf(script)))).toBe(integrityOf(script));
});
