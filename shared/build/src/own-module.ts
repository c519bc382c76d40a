import { extname, join } from 'node:path';

/**
 * The file of a module of this package that is not imported, but named to webpack: TypeScript where this one is, and JavaScript
 * where the package is built.
 *
 * @param name its path below `src`, without extension.
 */
export function ownModule(name: string): string {
  return join(import.meta.dirname, `${name}${extname(import.meta.filename)}`);
}
