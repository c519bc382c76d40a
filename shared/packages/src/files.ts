import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, type PublishedPackage } from './workspace.ts';

/** Folders whose code is compiled; everything else that a package names in `files` is published as it is. */
const COMPILED = ['bin', 'src'];
const isCompiled = (path: string) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith('.d.ts');
/** What only tests of this repository need. */
const isForTests = (path: string) => /\.test\.tsx?$|\/src\/(.*\/)?testing\//.test(path);

/** The modules of a package that are compiled, relative to the top of the repository. */
export function sourcesOf(published: PublishedPackage): string[] {
  return filesOf(published).filter((path) => isIn(published, COMPILED, path) && isCompiled(path));
}

/** Types of modules that are not TypeScript, needed to compile ours. */
export function declarationsOf(published: PublishedPackage): string[] {
  return copiedOf(published).filter((path) => path.endsWith('.d.ts'));
}

/** What of a package is published as it is: styles, fonts, templates, declarations, documents. */
export function copiedOf(published: PublishedPackage): string[] {
  return filesOf(published).filter((path) => !isIn(published, COMPILED, path) || !isCompiled(path));
}

function isIn({ folder }: PublishedPackage, names: readonly string[], path: string): boolean {
  return names.some((name) => path.startsWith(`${folder}/${name}/`));
}

function filesOf(published: PublishedPackage): string[] {
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
