import { readFileSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, sep } from 'node:path';
import { createHash } from 'node:crypto';
import { classPrefix } from '@site/contract/remote-isolation';

interface PackageFolder {
  name: string;
  folder: string;
}

const packages = new Map<string, PackageFolder | null>();

function findPackage(folder: string): PackageFolder | null {
  const known = packages.get(folder);
  if (known !== undefined) return known;
  const name = nameIn(folder);
  const parent = dirname(folder);
  const found = name === null ? (parent === folder ? null : findPackage(parent)) : { name, folder };
  packages.set(folder, found);
  return found;
}

/** Some packages have a nested package.json without a name that only sets the module type. */
function nameIn(folder: string): string | null {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string }).name ?? null;
  } catch {
    return null;
  }
}

/**
 * A file name that is independent of the package's location and of whether it is source or built:
 * `@site/ui/hero` for `shared/ui/src/hero.tsx` and for `node_modules/@site/ui/dist/hero.js`. All names
 * derived from files (ids, class names) use it, so that the same sources result in the same version.
 * @param file its absolute path.
 */
export function stableName(file: string): string {
  const owner = findPackage(dirname(file));
  if (!owner) return file;
  const inside = relative(owner.folder, file)
    .split(sep)
    .join('/')
    .replace(/^(src|dist)\//, '');
  const name = /^\.[cm]?[jt]sx?$/.test(extname(inside)) ? inside.slice(0, -extname(inside).length) : inside;
  return `${owner.name}/${name}`;
}

/** Removes the zero byte that webpack writes before each "#" of a path. */
export function withoutEscapes(request: string): string {
  return request.replaceAll(/\0(.)/g, '$1');
}

export function stableRequest(request: string): string {
  return request
    .split('!')
    .map((part) => {
      const query = /(?<!\0)\?[^]*/.exec(part)?.[0] ?? '';
      const file = withoutEscapes(part.slice(0, part.length - query.length));
      return isAbsolute(file) ? stableName(file) + query : part;
    })
    .join('!');
}

/** A CSS-compatible hash of a text, with the app's prefix. */
export function stableClassName(app: string, text: string): string {
  const hash = createHash('sha256').update(text).digest('base64');
  return classPrefix(app) + hash.replaceAll(/[+/=]/g, '').slice(0, 5);
}
