import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RemotePlan } from '@site/create-remote/plan-remote';
import { remoteFiles } from '@site/create-remote/template-files';

/**
 * Registers the new folder with npm like `npm install`, but offline: it needs no other packages than the existing
 * remotes. @returns the files, relative to the repository's root.
 */
export async function writeRemote(root: string, plan: RemotePlan): Promise<string[]> {
  // Not named `mfe-…`, because a partial folder must not look like a remote.
  const draft = join(root, `.new-${plan.name}`);
  await rm(draft, { recursive: true, force: true });
  const written: string[] = [];
  for (const [path, text] of await remoteFiles(plan)) {
    await mkdir(dirname(join(draft, path)), { recursive: true });
    await writeFile(join(draft, path), text);
    written.push(`${plan.name}/${path}`);
  }
  await rename(draft, join(root, plan.name));
  await linkWorkspace(root, plan.name);
  return [...written.sort(), 'package-lock.json'];
}

interface PackageLock {
  packages: Record<string, object>;
}

async function linkWorkspace(root: string, name: string): Promise<void> {
  const lockFile = join(root, 'package-lock.json');
  const lockText = await readFile(lockFile, 'utf8');
  const lock = JSON.parse(lockText) as PackageLock;
  const { version, dependencies, devDependencies } = JSON.parse(
    await readFile(join(root, name, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  lock.packages[name] = { version, dependencies, devDependencies };
  lock.packages[`node_modules/${name}`] = { resolved: name, link: true };
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byPath));
  const newText = `${JSON.stringify(lock, null, 2)}\n`;
  await writeFile(lockFile, newText);

  const modules = join(root, 'node_modules');
  if (!existsSync(modules)) return;
  await symlink(join('..', name), join(modules, name), 'junction');
  await keepInstalled(join(modules, '.installed'), lockText, newText);
}

/** npm's order of the lock file. */
function byPath([a]: [string, unknown], [b]: [string, unknown]): number {
  return a.localeCompare(b, 'en');
}

/**
 * `npm start` reinstalls if the lock file differs from the last installation's. A new remote needs no
 * installation.
 */
async function keepInstalled(marker: string, before: string, after: string): Promise<void> {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const installed = await readFile(marker, 'utf8').catch(() => null);
  if (installed === hash(before)) await writeFile(marker, hash(after));
}
