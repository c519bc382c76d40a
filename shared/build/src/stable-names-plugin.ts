import { join, sep } from 'node:path';
import type { Chunk, ChunkGraph, Compiler, Module } from 'webpack';
import { createHash } from 'node:crypto';
import { stableRequest, withoutEscapes } from './stable-names.ts';

/** The file that the federation plugin generates: its name hashes contents that hold absolute paths. */
const generatedEntry = /\.federation[/\\]entry\.[0-9a-f]+/;

/** Ids have so few digits as an app of some hundred modules needs, and more in a larger one. */
const FEWEST_IDS = 10_000;

/**
 * Names modules and chunks by their packages instead of the folders where these lie: ids, and the names and comments that are
 * derived from them. Webpack's own are paths from the app's folder, which differ between this repository and one where
 * the shared packages are installed: the same sources would get another version id.
 */
export class StableNamesPlugin {
  apply(compiler: Compiler): void {
    const { requestShortener } = compiler;
    const shorten = requestShortener.shorten.bind(requestShortener);
    const own = (request: string) =>
      request.startsWith(compiler.context + sep) &&
      !request.startsWith(join(compiler.context, 'node_modules') + sep);
    // The app's own files keep their paths, by which people find them; they are the same everywhere.
    requestShortener.shorten = (request) => {
      const path = typeof request === 'string' ? withoutEscapes(request) : '';
      return typeof request !== 'string' || own(path) ? shorten(path) : stableRequest(request);
    };

    compiler.hooks.compilation.tap('StableNamesPlugin', (compilation) => {
      const nameOf = (module: Module) =>
        module
          .readableIdentifier(requestShortener)
          .replace(generatedEntry, '.federation/entry')
          .replace(/ \+ \d+ modules?$/, '');
      compilation.hooks.moduleIds.tap('StableNamesPlugin', (modules) => {
        const { chunkGraph } = compilation;
        const without = [...modules].filter(
          (module) => module.needId && chunkGraph.getModuleId(module) === null,
        );
        for (const [module, id] of numbered(without, nameOf)) chunkGraph.setModuleId(module, id);
      });
      compilation.hooks.chunkIds.tap('StableNamesPlugin', (chunks) => {
        const without = [...chunks].filter(({ id }) => id === null);
        for (const [chunk, id] of numbered(without, (each) =>
          chunkName(each, compilation.chunkGraph, nameOf),
        )) {
          chunk.id = id;
          chunk.ids = [id];
        }
      });
      if (!compiler.options.optimization.realContentHash) return;
      // What files are called until they are minified and have their names from that. webpack's own hash holds paths, and stands in the
      // entry: which letters are frequent there decides what the minifier calls its variables.
      compilation.hooks.contentHash.tap({ name: 'StableNamesPlugin', stage: 100 }, (chunk) => {
        const name = chunkName(chunk, compilation.chunkGraph, nameOf);
        for (const type of Object.keys(chunk.contentHash))
          chunk.contentHash[type] = createHash('sha256').update(`${type} ${name}`).digest('hex');
      });
    });
  }
}

/** A chunk without a name has what it is made of. */
function chunkName(chunk: Chunk, chunkGraph: ChunkGraph, nameOf: (module: Module) => string): string {
  const roots = () => chunkGraph.getChunkRootModules(chunk).map(nameOf).sort();
  return chunk.name ?? roots().join(' ');
}

/** Each with a number that depends on nothing but names: its own, and those before it that wanted the same number. */
function numbered<T>(items: readonly T[], nameOf: (item: T) => string): Map<T, number> {
  const named = items.map((item) => ({ item, name: nameOf(item) }));
  const taken = new Set<number>();
  let ids = FEWEST_IDS;
  while (ids < 2 * items.length) ids *= 10;
  return new Map(
    named
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      .map(({ item, name }) => {
        let id = createHash('sha256').update(name).digest().readUInt32BE() % ids;
        while (taken.has(id)) id = (id + 1) % ids;
        taken.add(id);
        return [item, id] as const;
      }),
  );
}
