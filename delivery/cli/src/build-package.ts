import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CliError } from './cli-error.ts';
import { exists } from './files.ts';
import type { LocalApp } from './repository.ts';

export function resolveBuildFile(folder: string, file: string): string | null {
  try {
    return createRequire(join(folder, 'package.json')).resolve(`@site/build/${file}`);
  } catch {
    return null;
  }
}

/** A build copied without its sources cannot be compared. @throws CliError `build_stale`. */
export async function requireCurrentBuild({ name: app, folder, buildCommand }: LocalApp): Promise<void> {
  const builder = resolveBuildFile(folder, 'bin/site-build.mjs');
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

/**
 * @param from the output folder, relative to the app's folder. @throws CliError `builder_missing`, `pack_refused`
 * with all required changes, `interrupted`.
 */
export async function packApp(
  { name: app, folder }: LocalApp,
  from: string,
  signal?: AbortSignal,
): Promise<{ app: string; version: string }> {
  const builder = resolveBuildFile(folder, 'bin/site-pack.mjs');
  if (builder === null) {
    throw new CliError(
      'builder_missing',
      `"${folder}" has no package @site/build that can pack: run "npm install", or add it to devDependencies.`,
    );
  }
  const printed = await new Promise<string>((resolve, reject) => {
    const options = { cwd: folder, ...(signal ? { signal } : {}) };
    execFile(process.execPath, [builder, from], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout.trim());
      if (signal?.aborted) return reject(new CliError('interrupted', `Stopped; ${app} was not packed.`));
      return reject(new CliError('pack_refused', stderr.trim() || error.message, { cause: error }));
    });
  });
  const [, version = ''] = printed.split('@');
  return { app, version };
}
