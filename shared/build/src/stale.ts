import { createHash, type Hash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, type Dirent } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parsePackageJson } from './app.ts';

/** The package that builds, which an app has among those for development. */
const BUILDER = '@site/build';
/** No source has such a name, at any depth. */
const neverSource = /^(\..*|node_modules|.*\.test\.tsx?)$/;
/** Generated folders at the top of a package. A folder of sources may have the same name. */
const generatedFolder = /^(dist(\..*)?|coverage)$/;
/** At the top of a package. The lock file counts by the packages that it names. */
const LOCK_FILE = 'package-lock.json';
const marker = (dist: string) => join(dist, '.inputs');

interface PackageJson {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/**
 * A hash over everything that the app in `folder` is built from: its own files, and the packages that it and its build depend on.
 * A package that was installed counts by its version, one that lies in the same repository by its files. What else the
 * repository installs does not count.
 */
export async function inputsHash(folder: string): Promise<string> {
  const hash = createHash('sha256');
  await hashFiles(hash, folder);
  for (const [at, { name, version }] of dependenciesOf(folder)) {
    hash.update(`\0${name}@${version}\0`);
    if (!isInstalled(at)) await hashFiles(hash, at);
  }
  return hash.digest('hex');
}

/** The folders that `inputsHash` reads: that of the app, and those of the packages of the same repository that it is built with. */
export function sourceFolders(folder: string): string[] {
  return [folder, ...dependenciesOf(folder).flatMap(([at]) => (isInstalled(at) ? [] : [at]))];
}

/** Whether the app's `dist` was built from other sources than today's, from unknown ones, or not at all. */
export async function isStale(folder: string): Promise<boolean> {
  return (await builtInputs(join(folder, 'dist'))) !== (await inputsHash(folder));
}

/** What a `dist` was built from: `inputsHash`; null when that is unknown. */
export function builtInputs(dist: string): Promise<string | null> {
  return readFile(marker(dist), 'utf8').catch(() => null);
}

/** Records what a `dist` was built from. `inputs` is taken before the build, so that an edit meanwhile counts. */
export async function markBuilt(dist: string, inputs: string): Promise<void> {
  await writeFile(marker(dist), inputs);
}

/** Folder → package, of everything that an app and its build need, and what those need; by their names. */
function dependenciesOf(app: string): [string, PackageJson][] {
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

/** What was found among the installed packages: they are the same for all apps, and stay while a process runs. */
const installed = new Map<string, unknown>();

function remembered<T>(key: string, folder: string | null, value: T): T {
  if (folder !== null && isInstalled(folder)) installed.set(key, value);
  return value;
}

/** Where Node finds a package from a folder; null for one that is not installed, as peers may be. */
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

/** Some hundred small files: one after the other is much faster than promises of them. */
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
