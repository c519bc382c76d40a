import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DatabaseError } from './database.ts';

/** Locks of this process: a process id cannot distinguish two users within one process. */
const held = new Set<string>();

/**
 * Takes the lock file `file`, like PostgreSQL's `postmaster.pid`. A stale lock (after kill -9) is taken over.
 * Resolves to a function that releases it.
 * @throws DatabaseError `folder_in_use` that names the process holding it.
 */
export async function lockFolder(file: string, folder: string): Promise<() => Promise<void>> {
  const path = resolve(file);
  if (held.has(path)) throw inUse(folder, process.pid, path);
  held.add(path);
  const mine = `${path}.${randomUUID()}`;
  try {
    await writeFile(mine, JSON.stringify({ pid: process.pid, started: await processStart(process.pid) }));
    await takeLock(path, mine, folder);
  } catch (error) {
    held.delete(path);
    throw error;
  } finally {
    await rm(mine, { force: true });
  }
  return async () => {
    await rm(path, { force: true });
    held.delete(path);
  };
}

async function takeLock(path: string, mine: string, folder: string): Promise<void> {
  // `link` creates the lock with its content atomically, so no process reads a partial lock.
  for (let attempt = 0; attempt < 10; attempt++) {
    try {
      await link(mine, path);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const text = await readIfThere(path);
    if (text === null) continue;
    const owner = parseOwner(text);
    if (owner && (await isRunning(owner))) throw inUse(folder, owner.pid, path);
    await removeStale(path, text);
  }
  throw inUse(folder, null, path);
}

/** Of two processes that find the same stale lock, only the one that renames it may continue. */
async function removeStale(path: string, text: string): Promise<void> {
  const aside = `${path}.stale.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await readIfThere(aside)) !== text) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

interface Owner {
  pid: number;
  started: string | null;
}

function parseOwner(text: string): Owner | null {
  try {
    const owner = JSON.parse(text) as Partial<Owner>;
    return typeof owner.pid === 'number' ? { pid: owner.pid, started: owner.started ?? null } : null;
  } catch {
    return null;
  }
}

async function isRunning(owner: Owner): Promise<boolean> {
  // Our own id in a lock we do not hold: a reused id, as in a container that always runs as process 1.
  if (owner.pid === process.pid) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return owner.started === null || owner.started === (await processStart(owner.pid));
}

/**
 * The start time of a process, where the system reports it (Linux): distinguishes reused ids. Null also for a
 * zombie, which may never be reaped in a container.
 */
async function processStart(pid: number): Promise<string | null> {
  const stat = await readIfThere(`/proc/${pid}/stat`);
  const [state = '', ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return 'ZX'.includes(state) ? null : (fields[18] ?? null);
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function inUse(folder: string, pid: number | null, lock: string): DatabaseError {
  const who = pid === null ? 'another process' : pid === process.pid ? 'this process' : `process ${pid}`;
  return new DatabaseError(
    'folder_in_use',
    `The data folder "${folder}" is in use by ${who}. Stop that process, set DATA_DIR to another folder, or set ` +
      `DATABASE_URL to share one PostgreSQL server. (If no such process runs, remove "${lock}".)`,
  );
}
