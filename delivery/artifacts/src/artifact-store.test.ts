import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer, request as forward, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { IntegrityMismatchError, type StoredBlob } from './artifact-store.ts';
import { blobState } from './blob-state.ts';
import { createDiskStore } from './disk-store.ts';
import { integrityHex, integrityFromHex, computeIntegrity } from '@site/contract/integrity';
import type { SiteStore } from './record-store.ts';
import { createS3Store } from './s3-store.ts';
import { startS3 } from './testing/start-s3.ts';
import { createTestS3Client } from './testing/test-s3-client.ts';

interface Storage {
  open(): SiteStore;
  blobPath(integrity: string, copy?: '.br' | '.gz'): string;
  stop(): Promise<void>;
}

async function diskStorage(): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), 'artifacts-'));
  return {
    open: () => createDiskStore(folder),
    blobPath: (integrity, copy) =>
      join(folder, 'blobs', integrityHex(integrity).slice(0, 2), `${integrityHex(integrity)}${copy ?? ''}`),
    stop: () => rm(folder, { recursive: true }),
  };
}

async function s3Storage(): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), 'artifacts-s3-'));
  const { endpoint, bucket, stop } = await startS3({ folder });
  const client = createTestS3Client({ endpoint });
  answerFewAtOnce(client);
  return {
    open: () => createS3Store({ bucket, prefix: 'site/production', client }),
    blobPath: (integrity, copy) => {
      const hex = integrityHex(integrity);
      return join(
        folder,
        bucket,
        'site/production/blobs',
        hex.slice(0, 2),
        `${hex}${copy ?? ''}._S3rver_object`,
      );
    },
    stop: async () => {
      client.destroy();
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Page size of list responses: small, so that every list has several pages. */
const NAMES_AT_ONCE = 10;

function answerFewAtOnce(client: S3Client): void {
  client.middlewareStack.add(
    (next) => (args) => next({ ...args, input: Object.assign({}, args.input, { MaxKeys: NAMES_AT_ONCE }) }),
    { step: 'initialize' },
  );
}

/** Different bytes for every test, because all share one storage. */
const newScript = () =>
  Buffer.from(`export const answer = '${randomBytes(8).toString('hex')}';\n`.repeat(100));

describe.each([
  ['disk', diskStorage],
  ['S3', s3Storage],
])('the store on %s', (_, start) => {
  let storage: Storage;
  let store: SiteStore;
  beforeAll(async () => {
    storage = await start();
    store = storage.open();
  });
  afterAll(() => storage.stop());

  async function save(integrity: string, bytes: Buffer): Promise<void> {
    await store.put(integrity, bytes);
    await store.compress(integrity);
  }

  async function listed(): Promise<Map<string, StoredBlob>> {
    const blobs = new Map<string, StoredBlob>();
    for await (const blob of store.list()) blobs.set(blob.integrity, blob);
    return blobs;
  }

  test('is empty at first', async () => {
    expect([...(await listed())]).toEqual([]);
  });

  test('returns the stored bytes, also to another process', async () => {
    const script = newScript();
    await storage.open().put(computeIntegrity(script), script);
    expect(await store.has(computeIntegrity(script))).toBe(true);
    expect(await store.blobSize(computeIntegrity(script))).toBe(script.length);
    expect(await store.get(computeIntegrity(script))).toEqual(script);
  });

  test('returns null for a missing blob', async () => {
    const integrity = computeIntegrity(newScript());
    expect(await store.has(integrity)).toBe(false);
    expect(await store.blobSize(integrity)).toBeNull();
    expect(await store.get(integrity)).toBeNull();
    expect(await store.getEncoded(integrity, 'br')).toBeNull();
  });

  test('rejects bytes that do not match the integrity, and stores none of them', async () => {
    const before = await listed();
    const announced = computeIntegrity(Buffer.from('something else'));
    await expect(store.put(announced, newScript())).rejects.toThrow(IntegrityMismatchError);
    expect(await store.has(announced)).toBe(false);
    expect(await listed()).toEqual(before);
  });

  test('keeps a brotli and a gzip copy of text, each smaller than the original', async () => {
    const script = newScript();
    await save(computeIntegrity(script), script);
    const br = await store.getEncoded(computeIntegrity(script), 'br');
    const gz = await store.getEncoded(computeIntegrity(script), 'gzip');
    expect(brotliDecompressSync(br ?? '')).toEqual(script);
    expect(gunzipSync(gz ?? '')).toEqual(script);
    expect(br?.length).toBeLessThan(script.length);
  });

  test('stores no copy of incompressible bytes', async () => {
    const font = randomBytes(2_000);
    await save(computeIntegrity(font), font);
    expect(await store.getEncoded(computeIntegrity(font), 'br')).toBeNull();
    expect(await store.getEncoded(computeIntegrity(font), 'gzip')).toBeNull();
    expect(await store.get(computeIntegrity(font))).toEqual(font);
  });

  test('compresses a blob only on request, once', async () => {
    const script = newScript();
    const integrity = computeIntegrity(script);
    await store.put(integrity, script);
    expect(await store.getEncoded(integrity, 'br')).toBeNull();
    expect(await blobState(store, integrity)).toBe('good');
    await store.compress(integrity);
    const made = await stat(storage.blobPath(integrity, '.br'));
    await storage.open().compress(integrity);
    expect(brotliDecompressSync((await store.getEncoded(integrity, 'br')) ?? '')).toEqual(script);
    expect((await stat(storage.blobPath(integrity, '.br'))).mtimeMs).toBe(made.mtimeMs);
  });

  test('copies left incomplete by a killed process are completed', async () => {
    const script = newScript();
    const integrity = computeIntegrity(script);
    await save(integrity, script);
    await rm(storage.blobPath(integrity, '.gz'));
    await storage.open().compress(integrity);
    expect(gunzipSync((await store.getEncoded(integrity, 'gzip')) ?? '')).toEqual(script);
  });

  test('does not compress a missing or damaged blob', async () => {
    const script = newScript();
    const integrity = computeIntegrity(script);
    await store.compress(integrity);
    expect(await store.getEncoded(integrity, 'br')).toBeNull();
    await store.put(integrity, script);
    await writeFile(storage.blobPath(integrity), Buffer.from(script).fill('x', 10, 20));
    await store.compress(integrity);
    expect(await store.getEncoded(integrity, 'br')).toBeNull();
  });

  test('stores large blobs and the empty one unchanged', async () => {
    const large = randomBytes(24 * 1024 * 1024);
    const empty = Buffer.alloc(0);
    await store.put(computeIntegrity(large), large);
    await store.put(computeIntegrity(empty), empty);
    expect(computeIntegrity((await store.get(computeIntegrity(large))) ?? empty)).toBe(
      computeIntegrity(large),
    );
    expect(await store.get(computeIntegrity(empty))).toEqual(empty);
    expect(await store.has(computeIntegrity(empty))).toBe(true);
  });

  test('the same blob stored concurrently by several processes is one complete blob', async () => {
    const script = newScript();
    const integrity = computeIntegrity(script);
    const before = (await listed()).size;
    await Promise.all(Array.from({ length: 12 }, () => storage.open().put(integrity, script)));
    await Promise.all(Array.from({ length: 4 }, () => storage.open().compress(integrity)));
    expect((await listed()).size).toBe(before + 1);
    expect(await store.get(integrity)).toEqual(script);
    expect(gunzipSync((await store.getEncoded(integrity, 'gzip')) ?? '')).toEqual(script);
  });

  test('lists each blob once, with its size and a date, whatever copies it has', async () => {
    const script = newScript();
    await save(computeIntegrity(script), script);
    const blob = (await listed()).get(computeIntegrity(script));
    expect(blob?.bytes).toBe(script.length);
    expect(Math.abs(Date.now() - (blob?.storedAt.getTime() ?? 0))).toBeLessThan(60_000);
  });

  test('lists more blobs than one response of the storage', async () => {
    const before = (await listed()).size;
    const blobs = Array.from({ length: 2 * NAMES_AT_ONCE + 1 }, newScript);
    await Promise.all(blobs.map((bytes) => store.put(computeIntegrity(bytes), bytes)));
    expect((await listed()).size).toBe(before + blobs.length);
  });

  test('a deleted blob is gone with its copies, and deleting it again is not an error', async () => {
    const script = newScript();
    const integrity = computeIntegrity(script);
    await save(integrity, script);
    await store.delete(integrity);
    await store.delete(integrity);
    expect(await store.has(integrity)).toBe(false);
    expect(await store.getEncoded(integrity, 'br')).toBeNull();
    expect(await store.getEncoded(integrity, 'gzip')).toBeNull();
    expect((await listed()).has(integrity)).toBe(false);
    await save(integrity, script);
    expect(await store.get(integrity)).toEqual(script);
    expect(await store.getEncoded(integrity, 'br')).not.toBeNull();
  });

  test('a truncated blob does not count as stored, and is replaced when it is stored again', async () => {
    const script = newScript();
    const integrity = computeIntegrity(script);
    await store.put(integrity, script);
    await truncate(storage.blobPath(integrity), 0);
    expect(await store.has(integrity)).toBe(false);

    await truncate(storage.blobPath(integrity), 10);
    expect(await store.blobSize(integrity)).toBe(10);
    const damaged = await store.get(integrity);
    expect(computeIntegrity(damaged ?? Buffer.alloc(0))).not.toBe(integrity);

    await store.put(integrity, script);
    expect((await stat(storage.blobPath(integrity))).size).toBe(script.length);
    expect(await store.get(integrity)).toEqual(script);
  });

  test("returns damaged bytes unchanged, so that the caller's check detects them", async () => {
    const script = newScript();
    await store.put(computeIntegrity(script), script);
    const damaged = Buffer.from(script.toString().replaceAll('answer', 'ANSWER'));
    await writeFile(storage.blobPath(computeIntegrity(script)), damaged);
    expect(await store.get(computeIntegrity(script))).toEqual(damaged);
  });

  test('damage that keeps the size is repaired by storing the blob again', async () => {
    const script = newScript();
    const integrity = computeIntegrity(script);
    await store.put(integrity, script);
    await writeFile(storage.blobPath(integrity), Buffer.from(script).fill('x', 10, 20));
    expect(await store.blobSize(integrity)).toBe(script.length);
    expect(await blobState(store, integrity)).toBe('contents');
    await store.put(integrity, script);
    expect(await blobState(store, integrity)).toBe('good');
    expect(await store.get(integrity)).toEqual(script);
  });

  test.each(['.br', '.gz'] as const)(
    'a damaged %s copy is repaired by storing the blob again',
    async (copy) => {
      const script = newScript();
      const integrity = computeIntegrity(script);
      await save(integrity, script);
      const file = storage.blobPath(integrity, copy);
      await writeFile(file, Buffer.alloc((await stat(file)).size, 7));
      expect(await blobState(store, integrity)).toBe('copies');
      await save(integrity, script);
      expect(await blobState(store, integrity)).toBe('good');
      expect(await store.getEncoded(integrity, copy === '.br' ? 'br' : 'gzip')).not.toBeNull();
    },
  );

  test('a record stays as it was first added', async () => {
    expect(await store.records.get('audit-1')).toBeNull();
    expect(await store.records.add('audit-1', Buffer.from('first'))).toBe(true);
    expect(await storage.open().records.add('audit-1', Buffer.from('other'))).toBe(false);
    expect((await store.records.get('audit-1'))?.toString()).toBe('first');
  });

  test('records are listed by name, separately from blobs', async () => {
    const blobs = (await listed()).size;
    await store.records.add('audit-2', Buffer.from('2'));
    expect((await store.records.names()).sort()).toEqual(['audit-1', 'audit-2']);
    expect((await listed()).size).toBe(blobs);
    await store.records.delete('audit-2');
    await store.records.delete('audit-2');
    expect(await store.records.get('audit-2')).toBeNull();
    await expect(store.records.add('../blobs/x', Buffer.from('x'))).rejects.toThrow(TypeError);
  });

  test('rejects keys that are not integrities, so that no key is a path', async () => {
    await expect(store.get('sha384-../../etc/passwd')).rejects.toThrow(TypeError);
    await expect(store.delete('sha384-../../etc/passwd')).rejects.toThrow(TypeError);
    expect(() => integrityFromHex('../x')).toThrow(TypeError);
  });
});

test.each([400, 501])(
  'S3 behind a proxy that answers %i to checksums stores and reads blobs',
  async (status) => {
    const s3 = await startS3();
    const { hostname, port } = new URL(s3.endpoint);
    const puts: boolean[] = [];
    const proxy = createServer((asked, answer) => {
      const isPut = asked.method === 'PUT';
      if (isPut) puts.push('x-amz-checksum-sha256' in asked.headers);
      if (isPut && puts.at(-1)) {
        asked.resume().on('end', () => answer.writeHead(status).end());
        return;
      }
      const { method, url: path, headers } = asked;
      const options = { hostname, port, method, path, headers } as RequestOptions;
      asked.pipe(
        forward(options, (given) => {
          answer.writeHead(given.statusCode ?? 500, given.headers);
          given.pipe(answer);
        }),
      );
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const client = createTestS3Client({
      endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    });
    const store = createS3Store({ bucket: s3.bucket, client });
    for (const text of ['first', 'second']) {
      const bytes = Buffer.from(text);
      await store.put(computeIntegrity(bytes), bytes);
      expect(await store.get(computeIntegrity(bytes))).toEqual(bytes);
    }
    expect(puts).toEqual([true, false, false]);
    client.destroy();
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    await s3.stop();
  },
);
