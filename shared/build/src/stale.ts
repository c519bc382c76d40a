import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../../..');
/** What an app's build reads beside its own folder. */
const sharedInputs = ['shared/contract', 'shared/kit', 'shared/ui', 'shared/build'];
const ignored = new Set(['node_modules', 'dist', '.data']);
const marker = (dist: string) => join(dist, '.inputs');

/** A hash over everything that the app in `folder` is built from. */
export async function inputsHash(folder: string): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await readFile(join(root, 'package-lock.json')));
  hash.update(await readFile(join(root, 'tsconfig.base.json')));
  for (const input of [folder, ...sharedInputs.map((name) => join(root, name))]) {
    for (const file of (await filesBelow(input)).sort()) {
      hash
        .update(relative(root, file))
        .update('\0')
        .update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

/** Whether the app's `dist` was built from other sources than today's, or not at all. */
export async function isStale(folder: string): Promise<boolean> {
  const built = await readFile(marker(join(folder, 'dist')), 'utf8').catch(() => '');
  return built !== (await inputsHash(folder));
}

/** Records what a `dist` was built from. `inputs` is taken before the build, so that an edit meanwhile counts. */
export async function markBuilt(dist: string, inputs: string): Promise<void> {
  await writeFile(marker(dist), inputs);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter(
        (entry) =>
          !ignored.has(entry.name) && !entry.name.startsWith('dist.') && !/\.test\.tsx?$/.test(entry.name),
      )
      .map((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? filesBelow(path) : Promise.resolve([path]);
      }),
  );
  return nested.flat();
}
