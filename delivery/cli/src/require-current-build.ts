import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from './cli-error.ts';

/**
 * Refuses a build that is older than the sources beside it: what is published would not be what stands there. A build that
 * was carried here without its sources has nothing to be compared with.
 *
 * @throws CliError `build_stale`.
 */
export async function requireCurrentBuild(root: string, app: string): Promise<void> {
  const builder = join(root, 'shared/build/bin/site-build.mjs');
  if (!(await exists(builder)) || !(await exists(join(root, app, 'src')))) return;
  if ((await askBuilder(builder, join(root, app))) === 'current') return;
  throw new CliError(
    'build_stale',
    `${app}/dist was built from other sources than the ones there are now; nothing was published. Publish without ` +
      `--no-build, build it with "npm run build -w ${app}", or publish it as it is with --allow-stale.`,
  );
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function askBuilder(builder: string, folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [builder, '--is-stale'], { cwd: folder }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout.trim());
      reject(
        new CliError('build_failed', `Cannot tell whether ${folder}/dist is up to date: ${stderr.trim()}`, {
          cause: error,
        }),
      );
    });
  });
}
