import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { IntegrityMismatchError, type ArtifactStore } from './artifact-store.ts';
import { removeDamagedCopies, SUFFIX } from './copies.ts';
import { createDiskFiles, isNotFound, storeError, type DiskFiles } from './disk-files.ts';
import { encodeWorthwhile } from './encodings.ts';
import { integrityHex, integrityFromHex, computeIntegrity, isBlobHex } from '@site/contract/integrity';
import { checkRecordName, isRecordName, type RecordStore, type SiteStore } from './record-store.ts';

const EMPTY = computeIntegrity(Buffer.alloc(0));

/**
 * Blobs are files `<folder>/blobs/<first 2 hex digits>/<hex>`, with `.br` and `.gz` copies; records are
 * `<folder>/records/<name>`. A file appears under its name only when it is complete and synced. The gzip copy is
 * written last, so its existence implies both. Safe for several processes over one folder.
 */
export function createDiskStore(folder: string): SiteStore {
  const files = createDiskFiles(folder);
  return { ...blobStore(folder, files), records: recordStore(folder, files) };
}

function blobStore(folder: string, files: DiskFiles): ArtifactStore {
  const blobFile = (integrity: string) => {
    const hex = integrityHex(integrity);
    return join(folder, 'blobs', hex.slice(0, 2), hex);
  };

  const remove = (file: string) => rm(file, { force: true });

  return {
    async has(integrity) {
      const size = await blobSize(blobFile(integrity));
      // After a power failure some file systems leave an empty file.
      return size !== null && (size > 0 || integrity === EMPTY);
    },

    async blobSize(integrity) {
      return blobSize(blobFile(integrity));
    },

    async put(integrity, bytes) {
      const actual = computeIntegrity(bytes);
      if (actual !== integrity) throw new IntegrityMismatchError(integrity, actual);
      const file = blobFile(integrity);
      // Compared byte by byte: storing a blob again repairs damage on the disk.
      const stored = await files.read(file);
      try {
        if (stored) await removeDamagedCopies({ read: files.read, remove }, file, bytes);
        const isKept = stored?.equals(bytes) === true && (await touch(file));
        if (!isKept) await files.write(file, bytes);
      } catch (error) {
        throw storeError(error, 'write to', folder);
      }
    },

    async compress(integrity) {
      const file = blobFile(integrity);
      if ((await files.stat(file + SUFFIX.gzip))?.size) return;
      const bytes = await files.read(file);
      if (!bytes || computeIntegrity(bytes) !== integrity) return;
      const encodings = await encodeWorthwhile(bytes);
      try {
        for (const [encoding, encoded] of encodings) await files.write(file + SUFFIX[encoding], encoded);
      } catch (error) {
        throw storeError(error, 'write to', folder);
      }
    },

    async get(integrity) {
      return files.read(blobFile(integrity));
    },

    async getEncoded(integrity, encoding) {
      return files.read(blobFile(integrity) + SUFFIX[encoding]);
    },

    async *list() {
      for (const group of await files.namesIn(join(folder, 'blobs'))) {
        for (const hex of (await files.namesIn(join(folder, 'blobs', group))).filter(isBlobHex)) {
          const integrity = integrityFromHex(hex);
          const file = await files.stat(blobFile(integrity));
          if (file) yield { integrity, storedAt: file.mtime, bytes: file.size };
        }
      }
    },

    async delete(integrity) {
      const file = blobFile(integrity);
      try {
        // The blob first, so that it is gone even if the rest fails.
        for (const suffix of ['', SUFFIX.gzip, SUFFIX.br]) await remove(file + suffix);
      } catch (error) {
        throw storeError(error, 'delete from', folder);
      }
    },
  };

  async function blobSize(file: string): Promise<number | null> {
    return (await files.stat(file))?.size ?? null;
  }

  /** @returns false if it was deleted in the meantime. */
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
}

function recordStore(folder: string, files: DiskFiles): RecordStore {
  const recordFile = (name: string) => join(folder, 'records', checkRecordName(name));
  return {
    async add(name, bytes) {
      const file = recordFile(name);
      try {
        return await files.create(file, bytes);
      } catch (error) {
        throw storeError(error, 'write to', folder);
      }
    },
    async get(name) {
      return files.read(recordFile(name));
    },
    async names() {
      return (await files.namesIn(join(folder, 'records'))).filter(isRecordName);
    },
    async delete(name) {
      const file = recordFile(name);
      try {
        await rm(file, { force: true });
      } catch (error) {
        throw storeError(error, 'delete from', folder);
      }
    },
  };
}
