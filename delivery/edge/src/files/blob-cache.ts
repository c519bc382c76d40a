import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredEncoding } from '@site/artifacts/artifact-store';
import { hexOf } from '@site/artifacts/integrity';
import { integrityOf } from '@site/contract/integrity-of';
import { decode, type BlobReader } from './load-blob.ts';
import { messageOf, type EdgeLog } from '../telemetry/log.ts';

/** Copies of a remote store's blobs on this machine, so that an edge can restart while the store is away. */
export interface BlobCache {
  /** Reads from the disk, else from the remote store, and then keeps a copy. */
  store: BlobReader;
  /** Reads likewise, but keeps nothing: for what is needed once. */
  passing: BlobReader;
  /** Resolves when everything that was read so far is on the disk, or could not be kept. Never rejects. */
  written(): Promise<void>;
  /** Throws everything away but these. Never rejects. */
  keepOnly(integrities: ReadonlySet<string>): Promise<void>;
}

const suffixes: Record<StoredEncoding, string> = { br: '.br', gzip: '.gz' };

/** Stands in a file where the store has no compressed copy. An empty file would say nothing: it may have been cut off. */
const none = Buffer.from('The store has no such copy.\n');
/** More than any blob has. */
const LARGEST_BLOB_BYTES = 256 * 1024 * 1024;

/**
 * Copies are files: `<folder>/<hex>`, beside it `.br` and `.gz`. They are not fsynced: a copy that a power cut damaged has
 * another hash (unpacked, if it is compressed), and is fetched again.
 */
export function createBlobCache(remote: BlobReader, folder: string, log: EdgeLog): BlobCache {
  const fileOf = (integrity: string) => join(folder, hexOf(integrity));
  let reported = '';
  /** Copies that are being written: whoever reads a blob does not wait for the disk. */
  const writing = new Set<Promise<void>>();
  let made: Promise<unknown> | null = null;

  /** Serving goes on without copies; the next restart would need them. */
  function keep(file: string, bytes: Buffer): void {
    const copy = write(file, bytes).finally(() => writing.delete(copy));
    writing.add(copy);
  }

  async function write(file: string, bytes: Buffer): Promise<void> {
    try {
      await (made ??= mkdir(folder, { recursive: true }));
      const temporary = `${file}.${randomUUID()}.tmp`;
      await writeFile(temporary, bytes);
      await rename(temporary, file);
    } catch (error) {
      made = null;
      const problem = messageOf(error);
      if (problem !== reported) log.warn({ problem }, 'cannot keep copies of the store on this disk');
      reported = problem;
    }
  }

  async function written(): Promise<void> {
    while (writing.size > 0) await Promise.all(writing);
  }

  function reader(keepsCopies: boolean): BlobReader {
    return {
      async get(integrity) {
        const file = fileOf(integrity);
        const copy = await readOrNull(file);
        if (copy && integrityOf(copy) === integrity) return copy;
        const bytes = await remote.get(integrity);
        if (bytes && keepsCopies && integrityOf(bytes) === integrity) keep(file, bytes);
        return bytes;
      },
      async getEncoded(integrity, encoding) {
        const file = fileOf(integrity) + suffixes[encoding];
        const copy = await readOrNull(file);
        if (copy?.equals(none)) return null;
        if (copy && (await isCopyOf(integrity, copy, encoding))) return copy;
        let bytes: Buffer | null;
        try {
          bytes = await remote.getEncoded(integrity, encoding);
        } catch (error) {
          // The file itself is on this disk: better sent uncompressed than not at all.
          if (await readOrNull(fileOf(integrity))) return null;
          throw error;
        }
        if (keepsCopies && (!bytes || (await isCopyOf(integrity, bytes, encoding))))
          keep(file, bytes ?? none);
        return bytes;
      },
    };
  }

  return {
    store: reader(true),
    passing: reader(false),
    written,
    async keepOnly(integrities) {
      await written();
      const kept = new Set([...integrities].map(hexOf));
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        if (!kept.has(name.replace(/\..*$/, '')) || name.endsWith('.tmp'))
          await rm(join(folder, name), { force: true }).catch(() => undefined);
      }
    },
  };
}

async function isCopyOf(integrity: string, bytes: Buffer, encoding: StoredEncoding): Promise<boolean> {
  const decoded = await decode(bytes, encoding, LARGEST_BLOB_BYTES);
  return decoded !== null && integrityOf(decoded) === integrity;
}

async function readOrNull(file: string): Promise<Buffer | null> {
  return readFile(file).catch(() => null);
}
