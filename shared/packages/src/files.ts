import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, type PublishedPackage } from './workspace.ts';

const COMPILED = ['bin', 'src'];
const isCompiled = (path: string) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith('.d.ts');
/** Needed only by tests of this repository. */
const isForTests = (path: string) => /\.test\.tsx?$|\/src\/(.*\/)?testing\//.test(path);

export function compiledFiles(published: PublishedPackage): string[] {
  return packageFiles(published).filter((path) => isIn(published, COMPILED, path) && isCompiled(path));
}

export function declarationFiles(published: PublishedPackage): string[] {
  return copiedFiles(published).filter((path) => path.endsWith('.d.ts'));
}

export function copiedFiles(published: PublishedPackage): string[] {
  return packageFiles(published).filter((path) => !isIn(published, COMPILED, path) || !isCompiled(path));
}

function isIn({ folder }: PublishedPackage, names: readonly string[], path: string): boolean {
  return names.some((name) => path.startsWith(`${folder}/${name}/`));
}

function packageFiles(published: PublishedPackage): string[] {
  const { folder, packageJson } = published;
  const named = ['README.md', ...(packageJson.files ?? [])];
  const all = named.filter((name) => !name.startsWith('!')).flatMap((name) => below(`${folder}/${name}`));
  const left = named.filter((name) => name.startsWith('!')).map((name) => `${folder}/${name.slice(1)}`);
  return [...new Set(all)].filter(
    (path) =>
      !(isForTests(path) && isIn(published, COMPILED, path)) &&
      !left.some((each) => `${path}/`.startsWith(`${each}/`)),
  );
}

function below(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .sort()
    .flatMap((name) => below(`${path}/${name}`));
}
