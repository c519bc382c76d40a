import { createHash } from 'node:crypto';
import { hashInName } from './hash.ts';

/** The placeholder in an app's entry for the map of chunk file → integrity: `chunkIntegrity`. */
export const CHUNK_INTEGRITY = '"__CHUNK_INTEGRITY__"';
/** A valid hash that matches nothing, so that unknown files are rejected. */
const matchesNothing = 'A'.repeat(64);

/**
 * The source of an expression for a file's integrity. @param path the source of an expression for its path
 * among the app's files.
 */
export const integrityExpression = (path: string): string =>
  `"sha384-" + (${CHUNK_INTEGRITY}[${path}] || "${matchesNothing}")`;

/**
 * The source of the integrity map in the entry. SHA-384 as in the document, because a preload with another
 * integrity would not be used.
 */
export function chunkIntegrity(entrySource: string, files: { path: string; bytes: Buffer }[]): string {
  // Only files whose hashes are in the entry can be loaded by it.
  const chunks = files.filter(({ path }) => {
    const hash = /\.(?:js|css)$/.test(path) ? hashInName(path) : null;
    return hash !== null && entrySource.includes(hash);
  });
  const hashes = chunks.map(({ path, bytes }) => [path, createHash('sha384').update(bytes).digest('base64')]);
  return JSON.stringify(Object.fromEntries(hashes));
}
