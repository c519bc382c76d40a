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
import { isUnsupported, s3Error, httpStatus } from './s3-error.ts';
import { createS3Reader, type S3Object } from './s3-reader.ts';

/** Attempts to read an object, because its body can arrive incomplete. */
export const READS = 3;
/** Attempts to put an object, because another put can conflict with it. */
const PUTS = 3;

/**
 * `replace`: overwrite. `same`: another process may be writing the same bytes, so no second put is needed. `keep`:
 * the object may have other contents and must stay.
 */
type Existing = 'replace' | 'same' | 'keep';

/** Optional features of PutObject, which some servers and proxies reject. */
interface PutFeatures {
  condition: boolean;
  checksum: boolean;
}
const NO_FEATURES: PutFeatures = { condition: false, checksum: false };

export interface S3Objects {
  readHead(key: string): Promise<S3Object | null>;
  read(key: string): Promise<Buffer | null>;
  /** @returns false if an object existed and was kept. */
  put(key: string, bytes: Buffer, options: { existing: Existing }): Promise<boolean>;
  remove(key: string): Promise<void>;
  listed(folder: string): AsyncGenerator<{ name: string; storedAt: Date; bytes: number }>;
}

/** @param timeoutMs limits each request including retries and body. */
export function createS3Objects(client: S3Client, bucket: string, timeoutMs: number): S3Objects {
  const reader = createS3Reader(client, bucket);
  const supported: PutFeatures = { condition: true, checksum: true };
  return { readHead, read, put, remove, listed };

  async function readHead(key: string): Promise<S3Object | null> {
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
        // The client's own retries end with the response headers.
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
      throw new Error(`the response ended after ${bytes.length} of ${answer.ContentLength} bytes`);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw new BrokenBodyError((cause as Error).message, { cause });
    }
  }

  async function put(key: string, bytes: Buffer, { existing }: { existing: Existing }): Promise<boolean> {
    let variants = putVariants(existing !== 'replace');
    let isReduced = false;
    for (let puts = 1; ;) {
      const [variant = NO_FEATURES, ...others] = variants;
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: bytes,
        ContentLength: bytes.length,
        ContentType: 'application/octet-stream',
        // The server verifies it. Without it the signature still covers the bytes.
        ...(variant.checksum ? { ChecksumSHA256: createHash('sha256').update(bytes).digest('base64') } : {}),
        Metadata: { size: String(bytes.length) },
        ...(variant.condition ? { IfNoneMatch: '*' } : {}),
      });
      const result = await attempt('write to', async (abortSignal) => {
        try {
          await client.send(command, { abortSignal });
          return 'stored';
        } catch (error) {
          const status = httpStatus(error);
          // 412: the same bytes were already written. 409: they are being written.
          if (variant.condition && status === 412) return 'exists';
          if (variant.condition && status === 409) return 'conflict';
          if (others.length > 0 && isUnsupported(error)) return 'unsupported';
          throw error;
        }
      });
      if (result === 'exists') return false;
      if (result === 'stored') {
        if (isReduced) {
          supported.checksum &&= variant.checksum;
          if (existing !== 'replace') supported.condition &&= variant.condition;
        }
        return true;
      }
      if (result === 'conflict' && puts++ < PUTS) continue;
      isReduced ||= result === 'unsupported';
      variants = result === 'unsupported' ? others : variants.filter(({ condition }) => !condition);
      const isLastCondition = variant.condition && variants[0]?.condition !== true;
      if (isLastCondition && existing === 'keep' && (await readHead(key)) !== null) return false;
    }
  }

  /** What to try, beginning with everything that the server is not known to reject. */
  function putVariants(isConditional: boolean): PutFeatures[] {
    const flags = (isUsed: boolean) => (isUsed ? [true, false] : [false]);
    return flags(isConditional && supported.condition).flatMap((condition) =>
      flags(supported.checksum).map((checksum) => ({ condition, checksum })),
    );
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

  async function remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: bucket, Key: key });
    await attempt('delete from', (abortSignal) => client.send(command, { abortSignal }));
  }

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
}

/** The body ended early. */
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
    const isMissing = httpStatus(error) === 404 && (error as Error).name !== 'NoSuchBucket';
    if (isMissing) return null;
    throw error;
  }
}
