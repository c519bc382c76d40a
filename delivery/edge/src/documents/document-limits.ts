import {
  documentLimits,
  versionLimits,
  type PageEntry,
  type ReleaseDocument,
  type RemoteManifest,
} from '@site/contract';
import type { DocumentParts } from './document.ts';
import { ReleaseError } from '../files/release-error.ts';
import type { TableFile } from './release-table.ts';

/**
 * What the documents of a release may take of this edge's memory. The registry makes no release that is beyond; one that
 * is there all the same is not loaded, and the one before goes on.
 */
export interface DocumentLimits {
  /** Counts a document. @throws ReleaseError when it, or all documents of its remote, are too large. */
  add(remote: RemoteManifest, page: PageEntry, bytes: number): void;
}

export function createDocumentLimits(): DocumentLimits {
  const sums = new Map<string, number>();
  return {
    add(remote, { path }, bytes) {
      const before = sums.get(remote.app) ?? 0;
      sums.set(remote.app, before + bytes);
      const problem = documentProblem(remote, path, bytes, before);
      if (problem !== null) throw new ReleaseError(problem);
    },
  };
}

/**
 * What is wrong with a document of so many bytes, which may be fewer than it will have.
 *
 * @param before what the documents of the same version have that came before it.
 * @returns null when nothing is.
 */
export function documentProblem(
  { app, version }: RemoteManifest,
  path: string,
  bytes: number,
  before: number,
): string | null {
  if (bytes > documentLimits.bytes) {
    return `${app}@${version}: the document of ${path} is at least ${bytes} bytes with its inlined styles; the limit is ${documentLimits.bytes}.`;
  }
  if (before + bytes > versionLimits.bytes) {
    return `${app}@${version}: its documents are at least ${before + bytes} bytes together; the limit for a version is ${versionLimits.bytes}.`;
  }
  return null;
}

/** What is wrong with the table of a release that has so many bytes; null when nothing is. */
export function tableProblem(bytes: number): string | null {
  if (bytes <= documentLimits.tableBytes) return null;
  return `its table of remotes, routes and redirects has ${bytes} bytes; it has at most ${documentLimits.tableBytes}.`;
}

/** What a document has at least, before it is put together: several of too large a kind are not made at once. */
export function leastBytes({ styles, page }: DocumentParts): number {
  return styles.reduce(
    (sum, { css }) => sum + css.length,
    (page?.head.length ?? 0) + (page?.html.length ?? 0),
  );
}

export function refuseLargeTable({ release }: ReleaseDocument, { bytes }: TableFile): void {
  const problem = tableProblem(bytes.length);
  if (problem !== null) throw new ReleaseError(`${release.id}: ${problem}`);
}
