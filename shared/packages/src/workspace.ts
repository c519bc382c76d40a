import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The top of the repository. */
export const root = join(import.meta.dirname, '../../..');

/** A `package.json`, as far as it matters here. */
export interface PackageJson {
  name: string;
  version: string;
  files?: string[];
  exports?: Exports;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  publishConfig?: { directory?: string; exports?: Exports; bin?: Record<string, string> };
}

export type Exports = string | null | { [key: string]: Exports };

/** A package that is published. */
export interface PublishedPackage {
  /** Relative to the top of the repository. */
  folder: string;
  packageJson: PackageJson;
  /** Where it stands once it is built, ready to be published. */
  built: string;
}

/** Where packages are put together, below their own folders; git, linters and Jest look away from `dist`. */
const BUILT = 'dist';

/**
 * The workspaces that are published: those whose `publishConfig` says from which folder. Each comes after those it depends on.
 */
export function publishedPackages(): PublishedPackage[] {
  const found = workspaces().filter(({ packageJson }) => packageJson.publishConfig?.directory === BUILT);
  const sorted: PublishedPackage[] = [];
  function add(one: PublishedPackage): void {
    if (sorted.includes(one)) return;
    const needed = { ...one.packageJson.dependencies, ...one.packageJson.peerDependencies };
    found.filter(({ packageJson }) => packageJson.name in needed).forEach(add);
    sorted.push(one);
  }
  found.forEach(add);
  return sorted;
}

function workspaces(): PublishedPackage[] {
  const { workspaces: patterns } = readJson<{ workspaces: string[] }>('package.json');
  return patterns
    .filter((pattern) => pattern.endsWith('/*'))
    .flatMap((pattern) => {
      const parent = pattern.slice(0, -'/*'.length);
      return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
    })
    .map((folder) => ({
      folder,
      packageJson: readJson<PackageJson>(join(folder, 'package.json')),
      built: join(root, folder, BUILT),
    }));
}

function readJson<Json>(path: string): Json {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Json;
}
