import { posix } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { IntegrityMismatchError } from './artifact-store.ts';
import { removeDamagedCopies, SUFFIX } from './copies.ts';
import { encodeWorthwhile } from './encodings.ts';
import { integrityHex, integrityFromHex, computeIntegrity, isBlobHex } from '@site/contract/integrity';
import { HOUR_MS } from '@site/server/durations';
import { checkRecordName, isRecordName, type SiteStore } from './record-store.ts';
import { createS3Objects, READS } from './s3-objects.ts';
import type { S3Object } from './s3-reader.ts';

export interface S3StoreOptions {
  bucket: string;
  /** To share a bucket between sites or stages. */
  prefix?: string;
  /** Per request, including retries and body. Default: 30 s. */
  timeoutMs?: number;
  client: S3Client;
}

/** Without a new date a republished blob would soon look unused. */
const RENEW_AFTER_MS = HOUR_MS;

/**
 * Blobs are objects `<prefix>/blobs/<first 2 hex digits>/<hex>`, with `.br` and `.gz` copies; records are
 * `<prefix>/records/<name>`. The gzip copy is written last, so its existence implies both. Required permissions:
 * `s3:GetObject`, `PutObject`, `DeleteObject`, `ListBucket`.
 */
export function createS3Store({
  bucket,
  prefix = '',
  timeoutMs = 30_000,
  client,
}: S3StoreOptions): SiteStore {
  const objects = createS3Objects(client, bucket, timeoutMs);
  const root = posix.join(prefix, 'blobs', '/');
  const recordRoot = posix.join(prefix, 'records', '/');
  const objectKey = (integrity: string) => {
    const hex = integrityHex(integrity);
    return `${root}${hex.slice(0, 2)}/${hex}`;
  };

  return {
    async has(integrity) {
      const head = await objects.readHead(objectKey(integrity));
      return head !== null && isComplete(head);
    },

    async blobSize(integrity) {
      return (await objects.readHead(objectKey(integrity)))?.bytes ?? null;
    },

    async put(integrity, bytes) {
      const actual = computeIntegrity(bytes);
      if (actual !== integrity) throw new IntegrityMismatchError(integrity, actual);
      const key = objectKey(integrity);
      const head = await objects.readHead(key);
      // Compared byte by byte: storing a blob again repairs damage in the bucket.
      const isStored = head?.bytes === bytes.length && ((await objects.read(key))?.equals(bytes) ?? false);
      if (head) await removeDamagedCopies(objects, key, bytes);
      if (!isStored || isOld(head)) await objects.put(key, bytes, { existing: head ? 'replace' : 'same' });
    },

    async compress(integrity) {
      const key = objectKey(integrity);
      const copy = await objects.readHead(key + SUFFIX.gzip);
      if (copy && isComplete(copy)) return;
      const bytes = await objects.read(key);
      if (!bytes || computeIntegrity(bytes) !== integrity) return;
      const encodings = await encodeWorthwhile(bytes);
      for (const [encoding, encoded] of encodings) {
        await objects.put(key + SUFFIX[encoding], encoded, { existing: 'replace' });
      }
    },

    async get(integrity) {
      // A wrong hash may be a transfer error, so retry once. If it persists, the caller must detect it.
      let bytes = await objects.read(objectKey(integrity));
      for (let reads = 1; bytes && reads < READS && computeIntegrity(bytes) !== integrity; reads += 1) {
        bytes = await objects.read(objectKey(integrity));
      }
      return bytes;
    },

    async getEncoded(integrity, encoding) {
      return objects.read(objectKey(integrity) + SUFFIX[encoding]);
    },

    async *list() {
      for await (const { name, storedAt, bytes } of objects.listed(root)) {
        if (isBlobHex(name)) yield { integrity: integrityFromHex(name), storedAt, bytes };
      }
    },

    async delete(integrity) {
      // The blob first, so that it is gone even if the rest fails.
      for (const suffix of ['', SUFFIX.gzip, SUFFIX.br]) await objects.remove(objectKey(integrity) + suffix);
    },

    records: {
      async add(name, bytes) {
        const key = recordRoot + checkRecordName(name);
        // For servers that silently ignore the condition of `put`.
        return (await objects.readHead(key)) === null && objects.put(key, bytes, { existing: 'keep' });
      },
      async get(name) {
        return objects.read(recordRoot + checkRecordName(name));
      },
      async names() {
        const names: string[] = [];
        for await (const { name } of objects.listed(recordRoot)) if (isRecordName(name)) names.push(name);
        return names;
      },
      async delete(name) {
        await objects.remove(recordRoot + checkRecordName(name));
      },
    },
  };
}

function isComplete({ bytes, size }: S3Object): boolean {
  return size === undefined || size === bytes;
}

function isOld({ storedAt }: S3Object): boolean {
  return Date.now() - storedAt.getTime() > RENEW_AFTER_MS;
}
