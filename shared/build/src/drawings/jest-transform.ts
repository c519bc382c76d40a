import { createHash } from 'node:crypto';
import { drawModule } from './draw-module.ts';

const drawn = new Map<string, string>();

function draw(path: string): string {
  const { code } = drawModule(path, '"/assets/"');
  const commonJs = code.replace(/^export const (\w+)=/gm, 'exports.$1=');
  drawn.set(path, commonJs);
  return commonJs;
}

const transformer = {
  /** Called first. The result depends on more than the file, so the key is its content. */
  getCacheKey: (_source: string, path: string) => createHash('sha256').update(draw(path)).digest('hex'),
  process: (_source: string, path: string) => ({ code: drawn.get(path) ?? draw(path) }),
};

export default transformer;
