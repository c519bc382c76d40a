import { createHash } from 'node:crypto';
import { drawModule } from './draw-module.ts';

/** Path → what Jest was last told about it. */
const drawn = new Map<string, string>();

function draw(path: string): string {
  const { code } = drawModule(path, '"/assets/"');
  const commonJs = code.replace(/^export const (\w+)=/gm, 'exports.$1=');
  drawn.set(path, commonJs);
  return commonJs;
}

/** Jest's way to `drawModule`: tests of pages see what a browser gets. */
const transformer = {
  /** Asked first. Depends on more than the file itself, so it is drawn for each run. */
  getCacheKey: (_source: string, path: string) => createHash('sha256').update(draw(path)).digest('hex'),
  process: (_source: string, path: string) => ({ code: drawn.get(path) ?? draw(path) }),
};

export default transformer;
