import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, open, opendir, readFile, rename, link, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DAY_MS } from '@site/server/durations';
import { ArtifactStoreError } from './artifact-store.ts';

/** Writing takes less: older temporary files are left over from a killed process. */
const LEFT_AFTER_MS = DAY_MS;

export interface DiskFiles {
  read(file: string): Promise<Buffer | null>;
  stat(file: string): Promise<Stats | null>;
  namesIn(path: string): Promise<string[]>;
  /** Replaces an existing file. */
  write(file: string, bytes: Buffer): Promise<void>;
  create(file: string, bytes: Buffer): Promise<boolean>;
}

export function createDiskFiles(folder: string): DiskFiles {
  let tidied: Promise<void> | null = null;

  const files: DiskFiles = {
    async read(file) {
      try {
        return await readFile(file);
      } catch (error) {
        if (isNotFound(error)) return null;
        throw storeError(error, 'read from', folder);
      }
    },

    async stat(file) {
      try {
        return await stat(file);
      } catch (error) {
        if (isNotFound(error)) return null;
        throw storeError(error, 'read from', folder);
      }
    },

    async namesIn(path) {
      const names: string[] = [];
      try {
        for await (const { name } of await opendir(path)) names.push(name);
      } catch (error) {
        if (!isNotFound(error)) throw storeError(error, 'read from', folder);
      }
      return names;
    },

    async write(file, bytes) {
      await place(file, bytes, async (temporary) => {
        await rename(temporary, file);
        return true;
      });
    },

    create(file, bytes) {
      return place(file, bytes, async (temporary) => {
        try {
          await link(temporary, file);
          return true;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
          throw error;
        } finally {
          await rm(temporary, { force: true });
        }
      });
    },
  };
  return files;

  async function place(
    file: string,
    bytes: Buffer,
    put: (temporary: string) => Promise<boolean>,
  ): Promise<boolean> {
    const temporary = join(folder, 'tmp', randomUUID());
    await mkdir(dirname(file), { recursive: true });
    await mkdir(join(folder, 'tmp'), { recursive: true });
    await (tidied ??= removeLeftovers().catch(() => undefined));
    try {
      await writeAndSync(temporary, bytes);
      const isNew = await put(temporary);
      await syncFolder(dirname(file));
      return isNew;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async function removeLeftovers(): Promise<void> {
    for (const name of await files.namesIn(join(folder, 'tmp'))) {
      const file = join(folder, 'tmp', name);
      const left = (await files.stat(file))?.mtime ?? new Date();
      if (Date.now() - left.getTime() > LEFT_AFTER_MS) await rm(file, { force: true });
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

/** A rename survives a power failure only after the folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function isNotFound(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

export function storeError(error: unknown, action: string, folder: string): ArtifactStoreError {
  if (error instanceof ArtifactStoreError) return error;
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  const reason =
    syscall === 'link' && /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(code ?? '')
      ? 'its file system has no hard links; choose a folder on another one, or S3'
      : code === 'ENOSPC'
        ? 'there is no space left; free some and try again'
        : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
          ? 'permission denied; grant it or choose another folder'
          : code === 'ENOTDIR' || code === 'EEXIST'
            ? 'it is not a folder; choose another one'
            : message;
  return new ArtifactStoreError(`Cannot ${action} the artifact folder "${folder}": ${reason}.`, {
    cause: error,
  });
}
