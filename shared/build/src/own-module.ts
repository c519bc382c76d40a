import { extname, join } from 'node:path';

/**
 * The path of a module of this package for webpack: TypeScript in the repository, JavaScript in the published
 * package.
 * @param name its path below `src`, without extension.
 */
export function ownModule(name: string): string {
  return join(import.meta.dirname, `${name}${extname(import.meta.filename)}`);
}
