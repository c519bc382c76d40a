import { createHash } from 'node:crypto';
import { drawModule } from './draw-module.ts';

/** Jest's way to `drawModule`: tests of pages see what a browser gets. */
const transformer = {
  process(_source: string, path: string) {
    const { code } = drawModule(path, '"/assets/"');
    return { code: code.replace(/^export const (\w+)=/gm, 'exports.$1=') };
  },
  /** Depends on more than the file itself, so it is drawn for each run. */
  getCacheKey(_source: string, path: string) {
    return createHash('sha256').update(transformer.process('', path).code).digest('hex');
  },
};

export default transformer;
