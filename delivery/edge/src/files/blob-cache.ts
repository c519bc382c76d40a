import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { StoredEncoding } from '@site/artifacts/artifact-store';
import { decompress } from '@site/artifacts/blob-state';
import { SUFFIX } from '@site/artifacts/copies';
import type { ReleaseDocument } from '@site/contract';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import { inParallel } from '@site/contract/in-parallel';
import type { BlobReader } from './load-blob.ts';
import { errorMessage, type EdgeLog } from '../telemetry/log.ts';

/** Local copies of a remote store's blobs, so that an edge can restart while the store is down. */
export interface BlobCache {
  store: BlobReader;
  passing: BlobReader;
  written(): Promise<boolean>;
  /** If that freed space, retries copies of these blobs that did not fit before. Never rejects. */
  keepOnly(integrities: ReadonlySet<string>): Promise<void>;
}

/** In place of a compressed copy that the store does not have. An empty file may be a truncated one. */
const none = Buffer.from('The store has no such copy.\n');
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
const WRITES_AT_ONCE = 4;
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

interface Copy {
  file: string;
  bytes: Buffer;
  readAgain(): Promise<unknown>;
}

/**
 * Copies are files: `<folder>/<hex>`, plus `.br` and `.gz`. They are not fsynced: a copy damaged by a power cut fails
 * the hash check (after unpacking, if compressed) and is fetched again.
 */
export function createBlobCache(remote: BlobReader, folder: string, log: EdgeLog): BlobCache {
  const fileName = (integrity: string) => join(folder, integrityHex(integrity));
  let reported = '';
  const waiting = new Map<string, Copy>();
  let waitingBytes = 0;
  const writing = new Set<Promise<void>>();
  /** Copies that could not be written. Their bytes are not held, because a release may have many. */
  const missed = new Map<string, Copy['readAgain']>();
  let made: Promise<unknown> | null = null;
  let listed: Promise<Set<string>> | null = null;

  /** Serving continues without copies, but the next restart would need them. */
  function keep(copy: Copy): void {
    const { file, bytes } = copy;
    if (waitingBytes + bytes.length > MOST_WAITING_BYTES) {
      const written = write(copy).finally(() => writing.delete(written));
      writing.add(written);
      return;
    }
    if (!waiting.has(file)) waitingBytes += bytes.length;
    waiting.set(file, copy);
  }

  async function read(file: string): Promise<Buffer | null> {
    const known = waiting.get(file);
    if (known) return known.bytes;
    listed ??= readdir(folder).then(
      (names) => new Set(names),
      () => new Set(),
    );
    return (await listed).has(basename(file)) ? readFile(file).catch(() => null) : null;
  }

  async function write({ file, bytes, readAgain }: Copy): Promise<void> {
    try {
      await (made ??= mkdir(folder, { recursive: true }));
      await writeWhole(file, bytes);
      missed.delete(file);
      (await listed)?.add(basename(file));
    } catch (error) {
      made = null;
      missed.set(file, readAgain);
      const problem = errorMessage(error);
      if (problem !== reported) log.warn({ problem }, 'cannot keep copies of the store on this disk');
      reported = problem;
    }
  }

  async function written(): Promise<boolean> {
    while (waiting.size > 0 || writing.size > 0) {
      const copies = [...waiting.values()];
      await inParallel(WRITES_AT_ONCE, copies, async (copy) => {
        await write(copy);
        if (waiting.get(copy.file) !== copy || !waiting.delete(copy.file)) return;
        waitingBytes -= copy.bytes.length;
      });
      await Promise.all(writing);
    }
    return missed.size === 0;
  }

  /** Sequential, up to the first one that does not fit, so that nothing is fetched in vain. */
  async function retryMissed(isKept: (file: string) => boolean): Promise<void> {
    for (const file of missed.keys()) if (!isKept(file)) missed.delete(file);
    for (const [file, readAgain] of [...missed]) {
      missed.delete(file);
      await readAgain().catch(() => missed.set(file, readAgain));
      await written();
      if (missed.has(file)) return;
    }
  }

  function reader(keepsCopies: boolean): BlobReader {
    const self: BlobReader = {
      async get(integrity) {
        const file = fileName(integrity);
        const copy = await read(file);
        if (copy && computeIntegrity(copy) === integrity) return copy;
        const bytes = await remote.get(integrity);
        if (bytes && keepsCopies && computeIntegrity(bytes) === integrity)
          keep({ file, bytes, readAgain: () => self.get(integrity) });
        return bytes;
      },
      async getEncoded(integrity, encoding) {
        const file = fileName(integrity) + SUFFIX[encoding];
        const copy = await read(file);
        if (copy?.equals(none)) return null;
        if (copy && (await isEncodedCopy(integrity, copy, encoding))) return copy;
        let bytes: Buffer | null;
        try {
          bytes = await remote.getEncoded(integrity, encoding);
        } catch (error) {
          // The file itself is on disk: send it uncompressed rather than not at all.
          if (await read(fileName(integrity))) return null;
          throw error;
        }
        if (keepsCopies && (!bytes || (await isEncodedCopy(integrity, bytes, encoding))))
          keep({ file, bytes: bytes ?? none, readAgain: () => self.getEncoded(integrity, encoding) });
        return bytes;
      },
    };
    return self;
  }

  return {
    store: reader(true),
    passing: reader(false),
    written,
    async keepOnly(integrities) {
      await written();
      const kept = new Set([...integrities].map(integrityHex));
      const isKept = (name: string) => kept.has(name.split('.', 1)[0] ?? '');
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        if (!isKept(name) || name.endsWith('.tmp'))
          await rm(join(folder, name), { force: true }).catch(() => undefined);
      }
      await retryMissed((file) => isKept(basename(file)));
    },
  };
}

/** Removes a partial file, which would otherwise fill the disk further. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function isEncodedCopy(integrity: string, bytes: Buffer, encoding: StoredEncoding): Promise<boolean> {
  const decoded = await decompress(bytes, encoding, MAX_UNPACKED_BYTES);
  return decoded !== null && computeIntegrity(decoded) === integrity;
}

export function neededBlobs(documents: ReleaseDocument[]): Set<string> {
  const needed = new Set<string>();
  for (const { manifests, rendered, packs } of documents) {
    for (const { assets } of Object.values(manifests))
      for (const { integrity } of assets) needed.add(integrity);
    for (const variants of Object.values(rendered))
      for (const integrity of Object.values(variants)) needed.add(integrity);
    for (const pack of [...Object.values(packs?.files ?? {}), ...Object.values(packs?.pages ?? {}).flat()])
      needed.add(pack);
  }
  return needed;
}
