import type { Compiler } from 'webpack';
import { shortHash } from './hash.ts';

/** The file that the federation plugin generates: its name hashes contents that hold absolute paths. */
const generatedEntry = /\S*\.federation[/\\]entry\.[0-9a-f]+\.js(\|[0-9a-f]+)?/;

/**
 * Gives the modules that the federation plugin generates ids that are the same on every machine. Webpack derives
 * deterministic ids from names, and these names differ from folder to folder: the same sources would get another
 * version id.
 */
export class StableModuleIdsPlugin {
  apply(compiler: Compiler): void {
    compiler.hooks.compilation.tap('StableModuleIdsPlugin', (compilation) => {
      compilation.hooks.beforeModuleIds.tap('StableModuleIdsPlugin', (modules) => {
        for (const module of modules) {
          const identifier = module.identifier();
          if (!generatedEntry.test(identifier) || !module.needId) continue;
          if (compilation.chunkGraph.getModuleId(module) !== null) continue;
          const stableName = identifier.replace(generatedEntry, '.federation/entry.js');
          compilation.chunkGraph.setModuleId(module, shortHash(stableName));
        }
      });
    });
  }
}
