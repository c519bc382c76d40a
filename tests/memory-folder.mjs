/**
 * Uses a temporary folder in memory for tests: databases, artifact stores, copies of the checkout. Half of the tests'
 * system time goes to short-lived files. Without enough memory, tests use the usual folder.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Tests write at most 1.2 GB (measured over a complete run); the rest is for their processes. */
const NEEDED_BYTES = 6 * 2 ** 30;

// Jest starts its workers with the options of its process: they reuse the existing folder.
if (process.env.TESTS_IN_MEMORY === undefined) {
  const inMemory = hasRoom();
  process.env.TESTS_IN_MEMORY = inMemory ? 'yes' : 'no';
  if (inMemory) {
    removeLeft();
    const folder = mkdtempSync(join(MEMORY, `site-tests-${process.pid}-`));
    // If the tests run as root, PostgreSQL runs as another user.
    chmodSync(folder, 0o711);
    process.env.TMPDIR = folder;
    process.once('exit', () => remove(folder));
  }
}

/** Removes the folders of killed runs. */
function removeLeft() {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = /^site-tests-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      remove(join(MEMORY, name));
    } catch {
      // Belongs to another user.
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
    // A packaged browser is unpacked and started there.
    const runsPrograms = mount !== undefined && !/\bnoexec\b/.test(mount);
    return runsPrograms && Math.min(bavail * bsize, freemem()) > NEEDED_BYTES;
  } catch {
    return false; // no such folder: not Linux
  }
}
