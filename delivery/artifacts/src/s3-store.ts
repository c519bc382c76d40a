import { posix } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { IntegrityMismatchError } from './artifact-store.ts';
import { removeDamagedCopies, SUFFIX } from './copies.ts';
import { encodeWorthwhile } from './encodings.ts';
import { hexOf, integrityFromHex, isBlobHex } from '@site/contract/blob-hex';
import { integrityOf } from '@site/contract/integrity-of';
import { HOUR_MS } from '@site/server/durations';
import { checkRecordName, isRecordName, type SiteStore } from './record-store.ts';
import { createS3Objects, READS } from './s3-objects.ts';
import type { S3Object } from './s3-reader.ts';

export interface S3StoreOptions {
  bucket: string;
  /** Put before every key: several sites, or stages, in one bucket. */
  prefix?: string;
  /** Bounds each request with its retries, the body included. Default: 30 s. */
  timeoutMs?: number;
  /** Knows region, credentials, attempts and connection limits. The store closes it with its process only. */
  client: S3Client;
}

/** Without a new date a blob that is published again would soon look like one that nobody has needed for long. */
const RENEW_AFTER_MS = HOUR_MS;

/**
 * Blobs as objects of a bucket: `<prefix>/blobs/<first 2 hex digits>/<hex>`, beside them `.br` and `.gz`, so the names
 * are those of the disk store. S3 shows an object only when it is complete. Of the copies the gzip one is put last: it
 * says that both are there. Records are `<prefix>/records/<name>`. The rights needed: `s3:GetObject`, `PutObject`, `DeleteObject`, `ListBucket`.
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
  const keyOf = (integrity: string) => {
    const hex = hexOf(integrity);
    return `${root}${hex.slice(0, 2)}/${hex}`;
  };

  return {
    async has(integrity) {
      const head = await objects.headOf(keyOf(integrity));
      return head !== null && isComplete(head);
    },

    async sizeOf(integrity) {
      return (await objects.headOf(keyOf(integrity)))?.bytes ?? null;
    },

    async put(integrity, bytes) {
      const actual = integrityOf(bytes);
      if (actual !== integrity) throw new IntegrityMismatchError(integrity, actual);
      const key = keyOf(integrity);
      const head = await objects.headOf(key);
      // Compared byte by byte: putting a blob again repairs what was damaged in the bucket.
      const isStored = head?.bytes === bytes.length && ((await objects.read(key))?.equals(bytes) ?? false);
      if (head) await removeDamagedCopies(objects, key, bytes);
      if (!isStored || isOld(head)) await objects.put(key, bytes, { existing: head ? 'replace' : 'same' });
    },

    async compress(integrity) {
      const key = keyOf(integrity);
      const copy = await objects.headOf(key + SUFFIX.gzip);
      if (copy && isComplete(copy)) return;
      const bytes = await objects.read(key);
      if (!bytes || integrityOf(bytes) !== integrity) return;
      const encodings = await encodeWorthwhile(bytes);
      for (const [encoding, encoded] of encodings) {
        await objects.put(key + SUFFIX[encoding], encoded, { existing: 'replace' });
      }
    },

    async get(integrity) {
      // A body that does not have the hash was perhaps hurt on the way only. If it stays so, the caller must see it.
      let bytes = await objects.read(keyOf(integrity));
      for (let reads = 1; bytes && reads < READS && integrityOf(bytes) !== integrity; reads += 1) {
        bytes = await objects.read(keyOf(integrity));
      }
      return bytes;
    },

    async getEncoded(integrity, encoding) {
      return objects.read(keyOf(integrity) + SUFFIX[encoding]);
    },

    async *list() {
      for await (const { name, storedAt, bytes } of objects.listed(root)) {
        if (isBlobHex(name)) yield { integrity: integrityFromHex(name), storedAt, bytes };
      }
    },

    async delete(integrity) {
      // The raw object first: without it the blob is gone, whatever becomes of the rest.
      for (const suffix of ['', SUFFIX.gzip, SUFFIX.br]) await objects.remove(keyOf(integrity) + suffix);
    },

    records: {
      async add(name, bytes) {
        const key = recordRoot + checkRecordName(name);
        // Also for servers that take the condition of `put` and do not know it.
        return (await objects.headOf(key)) === null && objects.put(key, bytes, { existing: 'keep' });
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
