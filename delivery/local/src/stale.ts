import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from './paths.ts';

/** What an app's build reads beside its own folder. */
const sharedInputs = ['shared/contract', 'shared/kit', 'shared/ui', 'shared/build'];
const ignored = new Set(['node_modules', 'dist', '.data']);
const marker = (app: string) => join(root, app, 'dist', '.inputs');

/** A hash over everything that an app is built from. */
export async function inputsHash(app: string): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await readFile(join(root, 'package-lock.json')));
  for (const folder of [app, ...sharedInputs]) {
    for (const file of (await filesBelow(join(root, folder))).sort()) {
      hash
        .update(relative(root, file))
        .update('\0')
        .update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

/** Whether `dist` was built from something else than `inputs`, or not at all. */
export async function isStale(app: string, inputs: string): Promise<boolean> {
  return (await readFile(marker(app), 'utf8').catch(() => '')) !== inputs;
}

/** Records what `dist` was built from. */
export async function markBuilt(app: string, inputs: string): Promise<void> {
  await writeFile(marker(app), inputs);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter((entry) => !ignored.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? filesBelow(path) : Promise.resolve([path]);
      }),
  );
  return nested.flat();
}
