import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  ArtifactStoreError,
  IntegrityMismatchError,
  type ArtifactStore,
  type StoredEncoding,
} from './artifact-store.ts';
import { encodeWorthwhile } from './encodings.ts';
import { hexOf, integrityOf } from './integrity.ts';

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

  return {
    async has(integrity) {
      return (await fileSize(blobFile(integrity))) !== null;
    },

    async sizeOf(integrity) {
      return fileSize(blobFile(integrity));
    },

    async put(integrity, bytes, { served = true } = {}) {
      const actual = integrityOf(bytes);
      if (actual !== integrity) throw new IntegrityMismatchError(integrity, actual);
      const file = blobFile(integrity);
      const isStored = (await fileSize(file)) === bytes.length;
      const needsEncodings = served && (await fileSize(file + SUFFIX.gzip)) === null;
      if (isStored && !needsEncodings) return;

      const encodings = needsEncodings ? await encodeWorthwhile(bytes) : new Map<StoredEncoding, Buffer>();
      try {
        await mkdir(dirname(file), { recursive: true });
        await mkdir(join(folder, 'tmp'), { recursive: true });
        for (const [encoding, encoded] of encodings) await write(file + SUFFIX[encoding], encoded);
        if (!isStored) await write(file, bytes);
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
  };

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
    try {
      return (await stat(file)).size;
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
