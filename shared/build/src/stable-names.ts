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
 * @param path absolute; may end with a query.
 */
export function stableName(path: string): string {
  const [file = '', query] = path.split('?', 2);
  const owner = packageOf(dirname(file));
  if (!owner) return path;
  const inside = relative(owner.folder, file)
    .split(sep)
    .join('/')
    .replace(/^(src|dist)\//, '');
  const name = /^\.[cm]?[jt]sx?$/.test(extname(inside)) ? inside.slice(0, -extname(inside).length) : inside;
  return `${owner.name}/${name}${query === undefined ? '' : `?${query}`}`;
}

/** The same for a request of webpack's: files with loaders before them, or other words around them. */
export function stableRequest(request: string): string {
  return request
    .split('!')
    .map((part) => (isAbsolute(part) ? stableName(part) : part))
    .join('!');
}

/** Letters and digits that stand for a text, beginning with a letter: a name for CSS. */
export function stableClassName(text: string): string {
  const hash = createHash('sha256').update(text).digest('base64');
  return hash.replaceAll(/[+/=]/g, '').replace(/^\d+/, '').slice(0, 7);
}
