import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { IntegrityMismatchError, type StoredEncoding } from './artifact-store.ts';
import { isCopyOf } from './blob-state.ts';
import { encodeWorthwhile } from './encodings.ts';
import { hexOf, integrityFromHex, isBlobHex } from '@site/contract/blob-hex';
import { integrityOf } from '@site/contract/integrity-of';
import { checkRecordName, isRecordName, type SiteStore } from './record-store.ts';
import { s3Error, statusOf } from './s3-error.ts';
import { createS3Reader, type S3Object } from './s3-reader.ts';

export interface S3StoreOptions {
  bucket: string;
  /** Put before every key: several sites, or stages, in one bucket. */
  prefix?: string;
  /** Bounds each request with its retries, the body included. Default: 30 s. */
  timeoutMs?: number;
  /** Knows region, credentials, attempts and connection limits. The store closes it with its process only. */
  client: S3Client;
}

const SUFFIX: Record<StoredEncoding, string> = { br: '.br', gzip: '.gz' };
const COPIES = ['br', 'gzip'] as const;

/** Without a new date a blob that is published again would soon look like one that nobody has needed for long. */
const RENEW_AFTER_MS = 60 * 60 * 1000;
const READS = 3;
const PUTS = 3;

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
  const reader = createS3Reader(client, bucket);
  const root = posix.join(prefix, 'blobs', '/');
  const recordRoot = posix.join(prefix, 'records', '/');
  const keyOf = (integrity: string) => {
    const hex = hexOf(integrity);
    return `${root}${hex.slice(0, 2)}/${hex}`;
  };

  return {
    async has(integrity) {
      const head = await headOf(keyOf(integrity));
      return head !== null && isComplete(head);
    },

    async sizeOf(integrity) {
      return (await headOf(keyOf(integrity)))?.bytes ?? null;
    },

    async put(integrity, bytes) {
      const actual = integrityOf(bytes);
      if (actual !== integrity) throw new IntegrityMismatchError(integrity, actual);
      const key = keyOf(integrity);
      const head = await headOf(key);
      // Compared byte by byte: putting a blob again repairs what was damaged in the bucket.
      const isStored = head?.bytes === bytes.length && ((await read(key))?.equals(bytes) ?? false);
      if (head) await removeDamagedCopies(key, bytes);
      if (!isStored || isOld(head)) await putObject(key, bytes, head === null);
    },

    async compress(integrity) {
      const key = keyOf(integrity);
      const copy = await headOf(key + SUFFIX.gzip);
      if (copy && isComplete(copy)) return;
      const bytes = await read(key);
      if (!bytes || integrityOf(bytes) !== integrity) return;
      const encodings = await encodeWorthwhile(bytes);
      for (const [encoding, encoded] of encodings) await putObject(key + SUFFIX[encoding], encoded, false);
    },

    async get(integrity) {
      // A body that does not have the hash was perhaps hurt on the way only. If it stays so, the caller must see it.
      let bytes = await read(keyOf(integrity));
      for (let reads = 1; bytes && reads < READS && integrityOf(bytes) !== integrity; reads += 1) {
        bytes = await read(keyOf(integrity));
      }
      return bytes;
    },

    async getEncoded(integrity, encoding) {
      return read(keyOf(integrity) + SUFFIX[encoding]);
    },

    async *list() {
      for await (const { name, storedAt, bytes } of listed(root)) {
        if (isBlobHex(name)) yield { integrity: integrityFromHex(name), storedAt, bytes };
      }
    },

    async delete(integrity) {
      // The raw object first: without it the blob is gone, whatever becomes of the rest.
      for (const suffix of ['', SUFFIX.gzip, SUFFIX.br]) await remove(keyOf(integrity) + suffix);
    },

    records: {
      async add(name, bytes) {
        const key = recordRoot + checkRecordName(name);
        // Also for servers that take the condition below and do not know it.
        return (await headOf(key)) === null && putObject(key, bytes, true, true);
      },
      async get(name) {
        return read(recordRoot + checkRecordName(name));
      },
      async names() {
        const names: string[] = [];
        for await (const { name } of listed(recordRoot)) if (isRecordName(name)) names.push(name);
        return names;
      },
      async delete(name) {
        await remove(recordRoot + checkRecordName(name));
      },
    },
  };

  async function* listed(folder: string): AsyncGenerator<{ name: string; storedAt: Date; bytes: number }> {
    const pages = paginateListObjectsV2({ client, pageSize: 1000 }, { Bucket: bucket, Prefix: folder });
    try {
      for await (const { Contents = [] } of pages) {
        for (const { Key = '', Size = 0, LastModified = new Date() } of Contents) {
          yield { name: posix.basename(Key), storedAt: LastModified, bytes: Size };
        }
      }
    } catch (error) {
      throw await s3Error(error, 'list', bucket, client);
    }
  }

  async function remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: bucket, Key: key });
    await attempt('delete from', (abortSignal) => client.send(command, { abortSignal }));
  }

  /** When one is damaged, both go: without a gzip copy they are made again. */
  async function removeDamagedCopies(key: string, bytes: Buffer): Promise<void> {
    for (const encoding of COPIES) {
      const copy = await read(key + SUFFIX[encoding]);
      if (!copy || (await isCopyOf(bytes, copy, encoding))) continue;
      for (const each of COPIES) await remove(key + SUFFIX[each]);
    }
  }

  async function headOf(key: string): Promise<S3Object | null> {
    return attempt('read from', async (abortSignal) => {
      const read = await reader.read('HEAD', key, abortSignal);
      if (read !== 'unsure') return read;
      const command = new HeadObjectCommand({ Bucket: bucket, Key: key });
      const head = await orNull(client.send(command, { abortSignal }));
      const size = head?.Metadata?.['size'];
      return (
        head && {
          bytes: head.ContentLength ?? 0,
          size: size === undefined ? undefined : Number(size),
          storedAt: head.LastModified ?? new Date(0),
          body: Buffer.alloc(0),
        }
      );
    });
  }

  async function read(key: string): Promise<Buffer | null> {
    for (let reads = 1; ; reads += 1) {
      try {
        return await attempt('read from', (signal) => readOnce(key, signal, reads === 1), isBrokenBody);
      } catch (error) {
        // The client's own retries end with the headers of an answer.
        if (!(error instanceof BrokenBodyError) || reads >= READS) {
          throw error instanceof BrokenBodyError ? await s3Error(error, 'read from', bucket, client) : error;
        }
      }
    }
  }

  async function readOnce(key: string, signal: AbortSignal, isFirst: boolean): Promise<Buffer | null> {
    const read = isFirst ? await reader.read('GET', key, signal) : 'unsure';
    if (read !== 'unsure') return read && read.body;
    const command = new GetObjectCommand({ Bucket: bucket, Key: key });
    const answer = await orNull(client.send(command, { abortSignal: signal }));
    if (!answer?.Body) return null;
    try {
      const bytes = Buffer.from(await answer.Body.transformToByteArray());
      if (answer.ContentLength === undefined || bytes.length === answer.ContentLength) return bytes;
      throw new Error(`the answer ended after ${bytes.length} of ${answer.ContentLength} bytes`);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw new BrokenBodyError((cause as Error).message, { cause });
    }
  }

  /**
   * @param ifNew puts the object only when there is none: somebody else may be putting the same one right now.
   * @param keepsOther whether what stands there may be something else, which must stay.
   * @returns false when there was one already.
   */
  async function putObject(
    key: string,
    bytes: Buffer,
    ifNew: boolean,
    keepsOther: boolean = false,
  ): Promise<boolean> {
    for (let puts = 1; ; puts += 1) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: bytes,
        ContentLength: bytes.length,
        ContentType: 'application/octet-stream',
        // The server compares it with what arrives.
        ChecksumSHA256: createHash('sha256').update(bytes).digest('base64'),
        Metadata: { size: String(bytes.length) },
        ...(ifNew ? { IfNoneMatch: '*' } : {}),
      });
      const status = await attempt('write to', async (abortSignal) => {
        try {
          await client.send(command, { abortSignal });
          return 200;
        } catch (error) {
          const refusal = statusOf(error);
          if (ifNew && (refusal === 412 || refusal === 409 || refusal === 501)) return refusal;
          throw error;
        }
      });
      // 412: somebody else has put the same bytes. 409: somebody else is doing so.
      if (status === 200 || status === 412) return status === 200;
      // 501: this server knows no conditional requests.
      if (status !== 501 && puts < PUTS) continue;
      if (keepsOther && (await headOf(key)) !== null) return false;
      ifNew = false;
    }
  }

  async function attempt<T>(
    action: string,
    request: (signal: AbortSignal) => Promise<T>,
    passes: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    try {
      return await request(AbortSignal.timeout(timeoutMs));
    } catch (error) {
      throw passes(error) ? error : await s3Error(error, action, bucket, client);
    }
  }
}

/** The body of an answer ended early. */
class BrokenBodyError extends Error {
  override name = 'BrokenBodyError';
}

function isBrokenBody(error: unknown): boolean {
  return error instanceof BrokenBodyError;
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    const isMissing = statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket';
    if (isMissing) return null;
    throw error;
  }
}

function isComplete({ bytes, size }: S3Object): boolean {
  return size === undefined || size === bytes;
}

function isOld({ storedAt }: S3Object): boolean {
  return Date.now() - storedAt.getTime() > RENEW_AFTER_MS;
}
