import { extname, join } from 'node:path';

export function ownModule(name: string): string {
  return join(import.meta.dirname, `${name}${extname(import.meta.filename)}`);
}
