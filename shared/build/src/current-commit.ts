import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sourceFolders } from './stale.ts';

/**
 * The commit of a version's sources, or null if they have uncommitted changes (including new files): one
 * commit must not stand for two versions. Other changes in the repository do not matter.
 */
export async function currentCommit(folder: string): Promise<string | null> {
  // In containers the checkout often belongs to another user, and git refuses. The build runs its code anyway.
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', ['-c', 'safe.directory=*', ...args], { cwd: folder })).stdout.trim();
  try {
    const changes = await git('status', '--porcelain', '--', ...sourceFolders(folder));
    return changes === '' ? await git('rev-parse', '--short=12', 'HEAD') : null;
  } catch {
    return null; // Not a git checkout: the version id still identifies the build.
  }
}
