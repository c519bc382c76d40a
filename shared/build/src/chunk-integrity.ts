import { createHash } from 'node:crypto';
import { hashInName } from './hash.ts';

/** Stands in an app's entry until the map of chunk file → integrity is put in its place: `chunkIntegrity`. */
export const CHUNK_INTEGRITY = '"__CHUNK_INTEGRITY__"';
/** A well-formed hash that matches nothing: a file that is not in the map is refused, not trusted. */
const matchesNothing = 'A'.repeat(64);

/** The source of an expression that gives a file's integrity. @param path the source of one that gives its path among the app's files. */
export const integrityExpression = (path: string): string =>
  `"sha384-" + (${CHUNK_INTEGRITY}[${path}] || "${matchesNothing}")`;

/**
 * The integrity of an app's files, as the source of its entry has them. SHA-384 as in the document, whose preloads would not be
 * used for a script with another integrity.
 */
export function chunkIntegrity(entrySource: string, files: { path: string; bytes: Buffer }[]): string {
  // What the entry cannot name it cannot load: the hash in a file's name says which those are.
  const chunks = files.filter(({ path }) => {
    const hash = /\.(?:js|css)$/.test(path) ? hashInName(path) : null;
    return hash !== null && entrySource.includes(hash);
  });
  const hashes = chunks.map(({ path, bytes }) => [path, createHash('sha384').update(bytes).digest('base64')]);
  return JSON.stringify(Object.fromEntries(hashes));
}
