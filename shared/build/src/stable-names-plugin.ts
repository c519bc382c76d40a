import { join, sep } from 'node:path';
import type { Chunk, ChunkGraph, Compiler, Module } from 'webpack';
import { createHash } from 'node:crypto';
import { stableRequest, withoutEscapes } from './stable-names.ts';

/** The federation plugin's generated file: its name hashes contents with absolute paths. */
const generatedEntry = /\.federation[/\\]entry\.[0-9a-f]+/;

/** The minimum number of ids, enough for some hundred modules. */
const FEWEST_IDS = 10_000;

/**
 * Names modules and chunks by package instead of folder, including derived ids, names and comments. Webpack's
 * own names are relative paths, which differ between this repository and one with installed packages, so the
 * same sources would have different version ids.
 */
export class StableNamesPlugin {
  apply(compiler: Compiler): void {
    const { requestShortener } = compiler;
    const shorten = requestShortener.shorten.bind(requestShortener);
    const own = (request: string) =>
      request.startsWith(compiler.context + sep) &&
      !request.startsWith(join(compiler.context, 'node_modules') + sep);
    // The app's own files keep their paths, which are the same everywhere and help debugging.
    requestShortener.shorten = (request) => {
      const path = typeof request === 'string' ? withoutEscapes(request) : '';
      return typeof request !== 'string' || own(path) ? shorten(path) : stableRequest(request);
    };

    compiler.hooks.compilation.tap('StableNamesPlugin', (compilation) => {
      const moduleName = (module: Module) =>
        module
          .readableIdentifier(requestShortener)
          .replace(generatedEntry, '.federation/entry')
          .replace(/ \+ \d+ modules?$/, '');
      compilation.hooks.moduleIds.tap('StableNamesPlugin', (modules) => {
        const { chunkGraph } = compilation;
        const without = [...modules].filter(
          (module) => module.needId && chunkGraph.getModuleId(module) === null,
        );
        for (const [module, id] of numbered(without, moduleName)) chunkGraph.setModuleId(module, id);
      });
      compilation.hooks.chunkIds.tap('StableNamesPlugin', (chunks) => {
        const without = [...chunks].filter(({ id }) => id === null);
        for (const [chunk, id] of numbered(without, (each) =>
          chunkName(each, compilation.chunkGraph, moduleName),
        )) {
          chunk.id = id;
          chunk.ids = [id];
        }
      });
      if (!compiler.options.optimization.realContentHash) return;
      // Temporary file names before minification. Webpack's own hash contains paths and is part of the entry,
      // whose letter frequencies determine the minifier's variable names.
      compilation.hooks.contentHash.tap({ name: 'StableNamesPlugin', stage: 100 }, (chunk) => {
        const name = chunkName(chunk, compilation.chunkGraph, moduleName);
        for (const type of Object.keys(chunk.contentHash))
          chunk.contentHash[type] = createHash('sha256').update(`${type} ${name}`).digest('hex');
      });
    });
  }
}

function chunkName(chunk: Chunk, chunkGraph: ChunkGraph, moduleName: (module: Module) => string): string {
  const roots = () => chunkGraph.getChunkRootModules(chunk).map(moduleName).sort();
  return chunk.name ?? roots().join(' ');
}

/** Assigns ids that depend only on names, with collisions resolved in order. */
function numbered<T>(items: readonly T[], moduleName: (item: T) => string): Map<T, number> {
  const named = items.map((item) => ({ item, name: moduleName(item) }));
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
