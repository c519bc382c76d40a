import type { Chunk, Compilation, Compiler, Module } from 'webpack';

/** After the federation plugin has hoisted its runtime's modules (stage 11), before modules are concatenated. */
const stage = 1_000;

/**
 * Takes modules out of chunks in which nothing can reach them. The federation plugin hoists everything that its runtime
 * mentions into the entry, also what tree shaking had found unused (loggers, messages, Node code): about 1 KB of dead
 * code, compressed, in every remote's entry.
 */
export class DropUnreachableModulesPlugin {
  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('DropUnreachableModulesPlugin', (compilation) => {
      compilation.hooks.optimizeChunks.tap({ name: 'DropUnreachableModulesPlugin', stage }, (chunks) => {
        // Dropping one module can make those unreachable that only it had imported.
        while ([...chunks].map((chunk) => dropFrom(chunk, compilation)).some(Boolean));
      });
    });
  }
}

function dropFrom(chunk: Chunk, compilation: Compilation): boolean {
  const { chunkGraph } = compilation;
  const unreachable = [...chunkGraph.getChunkModulesIterable(chunk)].filter(
    (module) => !chunkGraph.isEntryModuleInChunk(module, chunk) && !isReachable(module, chunk, compilation),
  );
  for (const module of unreachable) chunkGraph.disconnectChunkAndModule(chunk, module);
  return unreachable.length > 0;
}

function isReachable(module: Module, chunk: Chunk, { chunkGraph, moduleGraph }: Compilation): boolean {
  for (const connection of moduleGraph.getIncomingConnections(module)) {
    const { originModule } = connection;
    // Without an origin it is part of an entry, or was included on purpose.
    if (!originModule) return true;
    if (connection.isActive(chunk.runtime) && chunkGraph.getNumberOfModuleChunks(originModule) > 0)
      return true;
  }
  return false;
}
