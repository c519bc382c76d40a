import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Compiler } from 'webpack';
import { integrityExpression } from './chunk-integrity.ts';

/**
 * Adds the integrity to every script and stylesheet that webpack's runtime loads.
 * webpack-subresource-integrity does this for ordinary builds, but fails for federation hosts and containers
 * ("unresolved integrity placeholders"). Here the entry is renamed by content hash after all other files are
 * final, so the map is inserted at that point.
 */
export class ChunkIntegrityPlugin {
  readonly publicPath: string;

  constructor(publicPath: string) {
    this.publicPath = publicPath;
  }

  apply(compiler: Compiler): void {
    const lookUp = (url: string) =>
      integrityExpression(`${url}.split("?")[0].slice(${this.publicPath.length})`);
    // Always set, unlike in webpack, because preloads match only with the same CORS mode.
    const anonymously = (tag: string) => `${tag}.crossOrigin = "anonymous";`;
    compiler.hooks.thisCompilation.tap('ChunkIntegrityPlugin', (compilation) => {
      webpack.runtime.LoadScriptRuntimeModule.getCompilationHooks(compilation).createScript.tap(
        'ChunkIntegrityPlugin',
        (source) => [source, `script.integrity = ${lookUp('url')};`, anonymously('script')].join('\n'),
      );
      MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap(
        'ChunkIntegrityPlugin',
        (source, names) =>
          [source, `${names.tag}.integrity = ${lookUp(names.href)};`, anonymously(names.tag)].join('\n'),
      );
    });
  }
}
