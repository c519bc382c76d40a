import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Compiler } from 'webpack';

/** Stands in an app's entry until `fillChunkIntegrity` puts the map of chunk file → integrity in its place. */
const placeholder = '"__CHUNK_INTEGRITY__"';
/** A well-formed integrity that matches nothing: a file that is not in the map is refused, not trusted. */
const matchesNothing = `sha384-${'A'.repeat(64)}`;

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
      `(${placeholder}[${url}.split("?")[0].slice(${this.publicPath.length})] || "${matchesNothing}")`;
    compiler.hooks.thisCompilation.tap('ChunkIntegrityPlugin', (compilation) => {
      webpack.runtime.LoadScriptRuntimeModule.getCompilationHooks(compilation).createScript.tap(
        'ChunkIntegrityPlugin',
        (source) => [source, `script.integrity = ${lookUp('url')};`].join('\n'),
      );
      MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap(
        'ChunkIntegrityPlugin',
        (source, names) => [source, `${names.tag}.integrity = ${lookUp(names.href)};`].join('\n'),
      );
    });
  }
}

/** Puts the integrity of an app's files into its entry's source. */
export function fillChunkIntegrity(
  entrySource: string,
  files: { path: string; integrity: string }[],
): string {
  const chunks = files.filter(({ path }) => /\.(js|css)$/.test(path));
  const map = JSON.stringify(Object.fromEntries(chunks.map(({ path, integrity }) => [path, integrity])));
  return entrySource.replaceAll(placeholder, () => map);
}
