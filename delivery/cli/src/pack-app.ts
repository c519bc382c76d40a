import { execFile } from 'node:child_process';
import { CliError } from './cli-error.ts';
import { fileOfBuild } from './file-of-build.ts';
import type { LocalApp } from './repository.ts';

/**
 * Packs another bundler's output with the app's own `@site/build`.
 * @param from the output folder, relative to the app's folder.
 * @throws CliError `builder_missing`, `pack_refused` with all required changes, `interrupted`.
 */
export async function packApp(
  { name: app, folder }: LocalApp,
  from: string,
  signal?: AbortSignal,
): Promise<{ app: string; version: string }> {
  const builder = fileOfBuild(folder, 'bin/site-pack.mjs');
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
