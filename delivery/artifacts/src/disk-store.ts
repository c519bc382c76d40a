import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, open, opendir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  ArtifactStoreError,
  IntegrityMismatchError,
  type ArtifactStore,
  type StoredEncoding,
} from './artifact-store.ts';
import { encodeWorthwhile } from './encodings.ts';
import { hexOf, integrityFromHex, integrityOf, isBlobHex } from './integrity.ts';

const EMPTY = integrityOf(Buffer.alloc(0));
/** No file takes that long to write: what is older was left by a process that was killed. */
const LEFT_AFTER_MS = 24 * 60 * 60_000;
const SUFFIX: Record<StoredEncoding, string> = { br: '.br', gzip: '.gz' };

/**
 * Blobs as files: `<folder>/blobs/<first 2 hex digits>/<hex>`, beside them `.br` and `.gz`. A file appears under its
 * name only when it is complete and on the disk (temporary file, fsync, rename), and the raw file comes last, so
 * whoever sees it sees the encodings too. Safe for several processes over one folder.
 */
export function createDiskStore(folder: string): ArtifactStore {
  const blobFile = (integrity: string) => {
    const hex = hexOf(integrity);
    return join(folder, 'blobs', hex.slice(0, 2), hex);
  };

  let tidied: Promise<void> | null = null;

  return {
    async has(integrity) {
      const size = await fileSize(blobFile(integrity));
      // After a power cut some file systems leave an empty file under the name.
      return size !== null && (size > 0 || integrity === EMPTY);
    },

    async sizeOf(integrity) {
      return fileSize(blobFile(integrity));
    },

    async put(integrity, bytes, { served = true } = {}) {
      const actual = integrityOf(bytes);
      if (actual !== integrity) throw new IntegrityMismatchError(integrity, actual);
      const file = blobFile(integrity);
      // Compared byte by byte: putting a blob again repairs a file that was damaged on the disk.
      const isStored = (await read(file))?.equals(bytes) ?? false;
      const needsEncodings = served && !(isStored && (await fileSize(file + SUFFIX.gzip)) !== null);
      const encodings = needsEncodings ? await encodeWorthwhile(bytes) : new Map<StoredEncoding, Buffer>();
      try {
        const isKept = isStored && (await touch(file));
        await mkdir(dirname(file), { recursive: true });
        await mkdir(join(folder, 'tmp'), { recursive: true });
        // What cannot be tidied up is no reason to refuse a blob.
        await (tidied ??= removeLeftovers().catch(() => undefined));
        for (const [encoding, encoded] of encodings) await write(file + SUFFIX[encoding], encoded);
        if (!isKept) await write(file, bytes);
      } catch (error) {
        throw storeError(error, 'write to', folder);
      }
    },

    async get(integrity) {
      return read(blobFile(integrity));
    },

    async getEncoded(integrity, encoding) {
      return read(blobFile(integrity) + SUFFIX[encoding]);
    },

    async *list() {
      for (const group of await entriesOf(join(folder, 'blobs'))) {
        for (const hex of (await entriesOf(join(folder, 'blobs', group))).filter(isBlobHex)) {
          const integrity = integrityFromHex(hex);
          const file = await statOf(blobFile(integrity));
          if (file) yield { integrity, storedAt: file.mtime, bytes: file.size };
        }
      }
    },

    async delete(integrity) {
      const file = blobFile(integrity);
      try {
        // The raw file first: without it the blob is gone, whatever becomes of the rest.
        for (const suffix of ['', SUFFIX.br, SUFFIX.gzip]) await rm(file + suffix, { force: true });
      } catch (error) {
        throw storeError(error, 'delete from', folder);
      }
    },
  };

  async function removeLeftovers(): Promise<void> {
    for (const name of await entriesOf(join(folder, 'tmp'))) {
      const file = join(folder, 'tmp', name);
      const left = (await statOf(file))?.mtime ?? new Date();
      if (Date.now() - left.getTime() > LEFT_AFTER_MS) await rm(file, { force: true });
    }
  }

  async function entriesOf(path: string): Promise<string[]> {
    const names: string[] = [];
    try {
      for await (const { name } of await opendir(path)) names.push(name);
    } catch (error) {
      if (!isNotFound(error)) throw storeError(error, 'read from', folder);
    }
    return names;
  }

  /** @returns false when it was deleted meanwhile. */
  async function touch(file: string): Promise<boolean> {
    const now = new Date();
    try {
      await utimes(file, now, now);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async function write(file: string, bytes: Buffer): Promise<void> {
    const temporary = join(folder, 'tmp', randomUUID());
    try {
      await writeAndSync(temporary, bytes);
      await rename(temporary, file);
      await syncFolder(dirname(file));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async function read(file: string): Promise<Buffer | null> {
    try {
      return await readFile(file);
    } catch (error) {
      if (isNotFound(error)) return null;
      throw storeError(error, 'read from', folder);
    }
  }

  async function fileSize(file: string): Promise<number | null> {
    return (await statOf(file))?.size ?? null;
  }

  async function statOf(file: string): Promise<Stats | null> {
    try {
      return await stat(file);
    } catch (error) {
      if (isNotFound(error)) return null;
      throw storeError(error, 'read from', folder);
    }
  }
}

async function writeAndSync(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename survives a power cut only once the folder itself is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isNotFound(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function storeError(error: unknown, action: string, folder: string): ArtifactStoreError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason =
    code === 'ENOSPC'
      ? 'there is no space left; free some and try again'
      : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
        ? 'the process may not; give it the permission or choose another folder'
        : code === 'ENOTDIR' || code === 'EEXIST'
          ? 'it is not a folder; choose another one'
          : message;
  return new ArtifactStoreError(`Cannot ${action} the artifact folder "${folder}": ${reason}.`, {
    cause: error,
  });
}
