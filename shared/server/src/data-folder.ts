import {
  access,
  chmod,
  constants,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { DatabaseError } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { openSynced, syncPath, syncTree } from './synced-folder.ts';

const MEBIBYTE = 1024 * 1024;
/** Space that the database needs to start: it keeps some files of 16 MB. */
const ROOM_BYTES = 64 * MEBIBYTE;

/**
 * Opens the embedded database of a data folder, or creates it. Never deletes existing data: an unreadable or
 * damaged folder is reported and left unchanged.
 * `<folder>/cluster` contains the database, `<folder>/process.lock` the id of its process.
 * @throws DatabaseError `folder_in_use`, `folder_unreadable`, `folder_full`, `folder_corrupt`.
 */
export async function openDataFolder(
  folder: string,
  roomBytes: number = ROOM_BYTES,
): Promise<{ pglite: PGlite; release: () => Promise<void> }> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // PGlite creates world-readable files, so restrict the folder, also an existing one.
    await chmod(folder, 0o700);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unreadable(folder, cause);
  }
  const release = await lockFolder(join(folder, 'process.lock'), folder).catch((error: unknown) => {
    throw error instanceof DatabaseError ? error : unreadable(folder, error);
  });
  try {
    const cluster = join(folder, 'cluster');
    if (!(await exists(cluster))) await createCluster(folder, cluster);
    return { pglite: await openCluster(folder, cluster), release };
  } catch (error) {
    await release();
    // A full disk during startup looks like a damaged database.
    throw (await hasRoom(folder, roomBytes)) ? error : full(folder, error);
  }
}

async function hasRoom(folder: string, roomBytes: number): Promise<boolean> {
  const disk = await statfs(folder).catch(() => null);
  return disk === null || disk.bavail * disk.bsize >= roomBytes;
}

/** Created in a temporary folder and renamed, so that a killed start leaves no partial cluster. */
async function createCluster(folder: string, cluster: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('cluster.new-')) await rm(join(folder, name), { recursive: true });
  }
  const unfinished = join(folder, `cluster.new-${process.pid}`);
  const pglite = await openSynced(unfinished);
  await pglite.close();
  await syncTree(unfinished);
  await rename(unfinished, cluster);
  syncPath(folder);
}

async function openCluster(folder: string, cluster: string): Promise<PGlite> {
  await checkCluster(folder, cluster);
  try {
    return await openSynced(cluster);
  } catch (cause) {
    throw corrupt(folder, 'the database inside does not start', cause);
  }
}

/** PGlite silently creates a new, empty database in a folder without `PG_VERSION`: check first. */
async function checkCluster(folder: string, cluster: string): Promise<void> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code === 'EACCES') throw unreadable(folder, cause);
    throw corrupt(folder, '"cluster/PG_VERSION" is missing', cause);
  });
  if (version.trim() !== '18') {
    throw corrupt(
      folder,
      `"cluster/PG_VERSION" says ${JSON.stringify(version.slice(0, 20))} where 18 is needed`,
    );
  }
  const control = await stat(join(cluster, 'global', 'pg_control')).catch(() => null);
  if (!control || control.size === 0)
    throw corrupt(folder, '"cluster/global/pg_control" is missing or empty');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function unreadable(folder: string, cause: unknown): DatabaseError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DatabaseError(
    'folder_unreadable',
    `The data folder "${folder}" cannot be used (${reason}). Give this user permission to read and write it, or set ` +
      'DATA_DIR to another folder.',
    { cause },
  );
}

function full(folder: string, cause: unknown): DatabaseError {
  return new DatabaseError(
    'folder_full',
    `The database in the data folder "${folder}" does not start: the disk is full. Free at least ` +
      `${ROOM_BYTES / MEBIBYTE} MB there, or ` +
      'set DATA_DIR to a folder on another disk. No data was changed.',
    { cause },
  );
}

function corrupt(folder: string, reason: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    'folder_corrupt',
    `The data folder "${folder}" holds no usable database: ${reason}. No data was changed. Restore the folder from a ` +
      'backup, or move it away and start again with an empty one.',
    { cause },
  );
}
