/**
 * Gives tests a folder in memory for what they write: databases, artifact stores, copies of the checkout. Half of the time that the
 * system spends on tests is spent on files that are gone a moment later. Where there is not enough memory they take the usual folder.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Tests write 1.2 GB at most (measured over a whole run); the rest is for the processes that they start. */
const NEEDED_BYTES = 6 * 2 ** 30;

// Jest starts its workers with the options of its own process: these find the folder made.
if (process.env.TESTS_IN_MEMORY === undefined) {
  const inMemory = hasRoom();
  process.env.TESTS_IN_MEMORY = inMemory ? 'yes' : 'no';
  if (inMemory) {
    removeLeft();
    const folder = mkdtempSync(join(MEMORY, `site-tests-${process.pid}-`));
    // PostgreSQL runs as another user where we are root.
    chmodSync(folder, 0o711);
    process.env.TMPDIR = folder;
    process.once('exit', () => remove(folder));
  }
}

/** A run that was killed leaves its folder. */
function removeLeft() {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = /^site-tests-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      remove(join(MEMORY, name));
    } catch {
      // Another user's.
    }
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

function hasRoom() {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    const { bavail, bsize } = statfsSync(MEMORY);
    // A browser that a package brings is unpacked there, and started.
    const runsPrograms = mount !== undefined && !/\bnoexec\b/.test(mount);
    return runsPrograms && Math.min(bavail * bsize, freemem()) > NEEDED_BYTES;
  } catch {
    return false; // no such folder: not a Linux
  }
}
