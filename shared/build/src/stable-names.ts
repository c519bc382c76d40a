import { readFileSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, sep } from 'node:path';
import { createHash } from 'node:crypto';

/** A folder with a package.json that has a name. */
interface PackageFolder {
  name: string;
  folder: string;
}

/** Folder → the package that it belongs to. */
const packages = new Map<string, PackageFolder | null>();

function packageOf(folder: string): PackageFolder | null {
  const known = packages.get(folder);
  if (known !== undefined) return known;
  const name = nameIn(folder);
  const parent = dirname(folder);
  const found = name === null ? (parent === folder ? null : packageOf(parent)) : { name, folder };
  packages.set(folder, found);
  return found;
}

/** Some packages have a second package.json deeper inside, which only says what kind of modules lie there: it has no name. */
function nameIn(folder: string): string | null {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string }).name ?? null;
  } catch {
    return null;
  }
}

/**
 * The name of a file that is the same wherever its package lies, and whether the package comes as source or built:
 * `@site/ui/hero` for `shared/ui/src/hero.tsx` here, and for `node_modules/@site/ui/dist/hero.js` elsewhere. Whatever a build
 * derives from files' names (ids, class names) it derives from these: the same sources give the same version everywhere.
 *
 * @param file its absolute path.
 */
export function stableName(file: string): string {
  const owner = packageOf(dirname(file));
  if (!owner) return file;
  const inside = relative(owner.folder, file)
    .split(sep)
    .join('/')
    .replace(/^(src|dist)\//, '');
  const name = /^\.[cm]?[jt]sx?$/.test(extname(inside)) ? inside.slice(0, -extname(inside).length) : inside;
  return `${owner.name}/${name}`;
}

/** A request without the zero byte that webpack writes before each "#" of a path. */
export function withoutEscapes(request: string): string {
  return request.replaceAll(/\0(.)/g, '$1');
}

/** The same for a request of webpack's: files with loaders before them, or other words around them. A file may have a query. */
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

/** Letters and digits that stand for a text, beginning with a letter: a name for CSS. */
export function stableClassName(text: string): string {
  const hash = createHash('sha256').update(text).digest('base64');
  return hash.replaceAll(/[+/=]/g, '').replace(/^\d+/, '').slice(0, 7);
}
