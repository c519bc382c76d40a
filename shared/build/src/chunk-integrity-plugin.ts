import { createHash } from 'node:crypto';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Compiler } from 'webpack';

/** Stands in an app's entry until the map of chunk file → integrity is put in its place: `chunkIntegrity`. */
export const CHUNK_INTEGRITY = '"__CHUNK_INTEGRITY__"';
/** A well-formed hash that matches nothing: a file that is not in the map is refused, not trusted. */
const matchesNothing = 'A'.repeat(64);

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
      `"sha384-" + (${CHUNK_INTEGRITY}[${url}.split("?")[0].slice(${this.publicPath.length})] || "${matchesNothing}")`;
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

/**
 * The integrity of an app's files, as the source of its entry has them. SHA-384 as in the document, whose preloads would not be
 * used for a script with another integrity.
 */
export function chunkIntegrity(entrySource: string, files: { path: string; bytes: Buffer }[]): string {
  // What the entry cannot name it cannot load: the hash in a file's name says which those are.
  const chunks = files.filter(({ path }) => {
    const [, hash] = /\.([0-9a-f]{12})\.(?:js|css)$/.exec(path) ?? [];
    return hash !== undefined && entrySource.includes(hash);
  });
  const hashes = chunks.map(({ path, bytes }) => [path, createHash('sha384').update(bytes).digest('base64')]);
  return JSON.stringify(Object.fromEntries(hashes));
}
