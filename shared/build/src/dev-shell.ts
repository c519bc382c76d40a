import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { loadApp } from './app.ts';
import { compile } from './build-app.ts';
import { replaceFolder } from './finish-build.ts';
import { inputsHash, markBuilt } from './stale.ts';
import { createWebpackConfigs } from './webpack-config.ts';

export const DEV_SHELL_FOLDER = 'src/dev-shell';

const shipped = join(import.meta.dirname, '..', DEV_SHELL_FOLDER);

const source = join(import.meta.dirname, '../../../shell');

/**
 * A development build of the shell, path below `/assets/shell/` → bytes. A remote from source needs it:
 * production React reports no mistakes and cannot replace components.
 * @throws BuildError if the shell's source in this repository does not compile.
 */
export async function devShell(): Promise<Map<string, Buffer>> {
  const folder = existsSync(shipped) ? shipped : await builtFromSource();
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const bytes = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [relative(folder, path).split(sep).join('/'), await readFile(path)] as const;
      }),
  );
  return new Map(bytes);
}

export async function buildDevShell(folder: string): Promise<void> {
  const app = await loadApp(source);
  const aside = `${folder}.${process.pid}`;
  try {
    const { browser } = createWebpackConfigs(app, 'development', aside);
    // Remote teams do not debug the shell.
    await compile(app, { ...browser, devtool: false });
    await replaceFolder(join(aside, 'browser'), folder);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function builtFromSource(): Promise<string> {
  const folder = join(source, 'node_modules/.cache/site-dev-shell');
  const inputs = await inputsHash(source);
  const built = await readFile(join(folder, '.inputs'), 'utf8').catch(() => '');
  if (built !== inputs) {
    await buildDevShell(folder);
    await markBuilt(folder, inputs);
  }
  return folder;
}
