import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sourceFolders } from './stale.ts';

/**
 * The commit that the sources of a version are. None, where they differ from it (a new file counts): a commit that is shown for two
 * versions says of neither what is in it. What else has changed in the repository does not matter.
 */
export async function currentCommit(folder: string): Promise<string | null> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: folder })).stdout.trim();
  try {
    const changes = await git('status', '--porcelain', '--', ...sourceFolders(folder));
    return changes === '' ? await git('rev-parse', '--short=12', 'HEAD') : null;
  } catch {
    return null; // not a git checkout: the version id still tells the build apart
  }
}
