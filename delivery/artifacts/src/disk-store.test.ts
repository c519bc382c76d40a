import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtifactStoreError, IntegrityMismatchError } from './artifact-store.ts';
import { createDiskStore } from './disk-store.ts';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artifacts-'));
});
afterEach(() => rm(folder, { recursive: true }));

const script = Buffer.from('export const answer = 42;\n'.repeat(100));
const hex = integrityHex(computeIntegrity(script));
const blobFile = () => join(folder, 'blobs', hex.slice(0, 2), hex);

test('a rejected blob leaves nothing in the folder', async () => {
  const put = createDiskStore(folder).put(computeIntegrity(Buffer.from('something else')), script);
  await expect(put).rejects.toThrow(IntegrityMismatchError);
  expect(await readdir(folder)).toEqual([]);
});

test('the same blob stored concurrently leaves no temporary file', async () => {
  const store = createDiskStore(folder);
  await Promise.all(Array.from({ length: 8 }, () => store.put(computeIntegrity(script), script)));
  await Promise.all(Array.from({ length: 8 }, () => store.compress(computeIntegrity(script))));
  expect((await readdir(join(folder, 'blobs', hex.slice(0, 2)))).sort()).toEqual([
    hex,
    `${hex}.br`,
    `${hex}.gz`,
  ]);
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);
});

test('repairs a changed file when the blob is stored again', async () => {
  const store = createDiskStore(folder);
  await store.put(computeIntegrity(script), script);
  await writeFile(blobFile(), 'x'.repeat(script.length));
  await store.put(computeIntegrity(script), script);
  expect(await readFile(blobFile())).toEqual(script);
});

test('reports once that a copy cannot be read', async () => {
  const store = createDiskStore(folder);
  await store.put(computeIntegrity(script), script);
  await mkdir(`${blobFile()}.br`);
  const put = store.put(computeIntegrity(script), script);
  await expect(put).rejects.toBeInstanceOf(ArtifactStoreError);
  await expect(put).rejects.toThrow(/^Cannot read from the artifact folder "[^"]+": EISDIR: [^:]*\.$/);
});

test('renews the date of a blob that is stored again, so that garbage collection keeps it', async () => {
  const store = createDiskStore(folder);
  await store.put(computeIntegrity(script), script);
  const longAgo = new Date('2020-01-01T00:00:00Z');
  await utimes(blobFile(), longAgo, longAgo);
  await store.put(computeIntegrity(script), script);
  expect((await stat(blobFile())).mtime.getFullYear()).toBeGreaterThan(2020);
});

test('removes day-old temporary files of killed processes, and no newer ones', async () => {
  await mkdir(join(folder, 'tmp'));
  for (const [name, age] of [
    ['left', 25],
    ['young', 23],
  ] as const) {
    const at = new Date(Date.now() - age * 60 * 60_000);
    await writeFile(join(folder, 'tmp', name), 'half');
    await utimes(join(folder, 'tmp', name), at, at);
  }
  await createDiskStore(folder).put(computeIntegrity(script), script);
  expect(await readdir(join(folder, 'tmp'))).toEqual(['young']);
});

test('reports a path that is not a folder', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const put = createDiskStore(file).put(computeIntegrity(script), script);
  await expect(put).rejects.toThrow(ArtifactStoreError);
  await expect(put).rejects.toThrow(/it is not a folder/);
});
