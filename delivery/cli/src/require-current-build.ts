import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { CliError } from './cli-error.ts';
import { exists } from './exists.ts';
import { fileOfBuild } from './file-of-build.ts';
import type { LocalApp } from './repository.ts';

/**
 * Rejects a build that is older than its sources. A build copied without its sources cannot be compared.
 * @throws CliError `build_stale`.
 */
export async function requireCurrentBuild({ name: app, folder, buildCommand }: LocalApp): Promise<void> {
  const builder = fileOfBuild(folder, 'bin/site-build.mjs');
  if (builder === null || !(await exists(join(folder, 'src')))) return;
  if ((await askBuilder(builder, folder)) === 'current') return;
  throw new CliError(
    'build_stale',
    `The build of ${app} does not match the current sources; nothing was published. Publish without ` +
      `--no-build, build it with "${buildCommand}", or publish the old build with --allow-stale.`,
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
