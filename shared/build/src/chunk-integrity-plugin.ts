import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Compiler } from 'webpack';
import { integrityExpression } from './chunk-integrity.ts';

/**
 * Gives every script and stylesheet that an app's webpack runtime adds to the page its integrity.
 *
 * webpack-subresource-integrity does this for ordinary builds, but fails for a federation host and for containers
 * ("unresolved integrity placeholders"). Here the entry is renamed after its contents anyway, once all other files are
 * final, so the map is simply written into it at that moment.
 */
export class ChunkIntegrityPlugin {
  readonly publicPath: string;

  constructor(publicPath: string) {
    this.publicPath = publicPath;
  }

  apply(compiler: Compiler): void {
    const lookUp = (url: string) =>
      integrityExpression(`${url}.split("?")[0].slice(${this.publicPath.length})`);
    // Always, where webpack does so for other origins only: the document's preloads are found only by the same mode.
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
