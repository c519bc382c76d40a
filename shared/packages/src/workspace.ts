import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

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

export interface PublishedPackage {
  folder: string;
  packageJson: PackageJson;
  built: string;
}

const BUILT = 'dist';

/** The published workspaces: those with a folder in `publishConfig`. Sorted by dependencies. */
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
