import { createHash, type Hash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, type Dirent } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parsePackageJson } from './app.ts';

/** The build package, a dev dependency of every app. */
const BUILDER = '@site/build';
/** File names that are never sources, at any depth. */
const neverSource = /^(\..*|node_modules|.*\.test\.tsx?)$/;
/** Generated folders in the root of a package. Source folders may have the same name elsewhere. */
const generatedFolder = /^(dist(\..*)?|coverage)$/;
const LOCK_FILE = 'package-lock.json';
const marker = (dist: string) => join(dist, '.inputs');

interface PackageJson {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/**
 * A hash of everything that the app in `folder` is built from: its files and the packages that it and its
 * build depend on. Installed packages count by version, packages of the same repository by their files.
 */
export async function inputsHash(folder: string): Promise<string> {
  const hash = createHash('sha256');
  await hashFiles(hash, folder);
  for (const [at, { name, version }] of collectDependencies(folder)) {
    hash.update(`\0${name}@${version}\0`);
    if (!isInstalled(at)) await hashFiles(hash, at);
  }
  return hash.digest('hex');
}

export function sourceFolders(folder: string): string[] {
  return [folder, ...collectDependencies(folder).flatMap(([at]) => (isInstalled(at) ? [] : [at]))];
}

export async function isStale(folder: string): Promise<boolean> {
  return (await builtInputs(join(folder, 'dist'))) !== (await inputsHash(folder));
}

export function builtInputs(dist: string): Promise<string | null> {
  return readFile(marker(dist), 'utf8').catch(() => null);
}

/**
 * Records the sources of a `dist`. `inputs` is computed before the build, so that an edit during the build
 * counts.
 */
export async function markBuilt(dist: string, inputs: string): Promise<void> {
  await writeFile(marker(dist), inputs);
}

function collectDependencies(app: string): [string, PackageJson][] {
  const found = new Map<string, PackageJson>();
  function add({ dependencies, peerDependencies }: Partial<PackageJson>, from: string): void {
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const folder = findPackage(name, from);
      if (folder === null || found.has(folder)) continue;
      const read = readPackage(folder);
      found.set(folder, read);
      add(read, folder);
    }
  }
  add({ dependencies: { ...readPackage(app).dependencies, [BUILDER]: '' } }, app);
  const key = ([, { name, version }]: [string, PackageJson]) => `${name}@${version}`;
  return [...found].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Cache of the installed packages, which are the same for all apps. */
const installed = new Map<string, unknown>();

function remembered<T>(key: string, folder: string | null, value: T): T {
  if (folder !== null && isInstalled(folder)) installed.set(key, value);
  return value;
}

function findPackage(name: string, from: string): string | null {
  const key = `${from}\0${name}`;
  if (installed.has(key)) return installed.get(key) as string;
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) {
      const found = realpathSync(folder);
      return remembered(key, found, found);
    }
    if (at === dirname(at)) return null;
  }
}

/** Synchronous, which is much faster than promises for some hundred small files. */
function readPackage(folder: string): PackageJson {
  if (installed.has(folder)) return installed.get(folder) as PackageJson;
  const path = join(folder, 'package.json');
  return remembered(folder, folder, parsePackageJson<PackageJson>(path, readFileSync(path, 'utf8')));
}

function isInstalled(folder: string): boolean {
  return /[\\/]node_modules[\\/]/.test(folder);
}

async function hashFiles(hash: Hash, folder: string): Promise<void> {
  for (const file of (await filesOfPackage(folder)).sort()) {
    hash
      .update(relative(folder, file))
      .update('\0')
      .update(await readFile(file));
  }
}

function filesOfPackage(folder: string): Promise<string[]> {
  return filesBelow(folder, (entry) =>
    entry.isDirectory() ? !generatedFolder.test(entry.name) : entry.name !== LOCK_FILE,
  );
}

async function filesBelow(
  folder: string,
  isSource: (entry: Dirent) => boolean = () => true,
): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter((entry) => !neverSource.test(entry.name) && isSource(entry))
      .map((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? filesBelow(path) : Promise.resolve([path]);
      }),
  );
  return nested.flat();
}
