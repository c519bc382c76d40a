import {
  documentLimits,
  versionLimits,
  type PageEntry,
  type BootTable,
  type ReleaseDocument,
  type RemoteManifest,
} from '@site/contract';
import type { DocumentParts } from './document.ts';
import { ReleaseError } from './release-error.ts';

export interface DocumentLimits {
  /** Counts a document. @throws ReleaseError if it, or all documents of its remote, are too large. */
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

export function documentProblem(
  { app, version }: RemoteManifest,
  path: string,
  bytes: number,
  before: number,
): string | null {
  if (bytes > documentLimits.bytes) {
    return (
      `${app}@${version}: the document of ${path} is at least ${bytes} bytes with its inlined styles; the ` +
      `limit is ${documentLimits.bytes}.`
    );
  }
  if (before + bytes > versionLimits.bytes) {
    return (
      `${app}@${version}: its documents are at least ${before + bytes} bytes together; the limit for a ` +
      `version is ${versionLimits.bytes}.`
    );
  }
  return null;
}

export function tableProblem(bytes: number): string | null {
  if (bytes <= documentLimits.tableBytes) return null;
  return `its table of remotes, routes and redirects has ${bytes} bytes; it has at most ${documentLimits.tableBytes}.`;
}

export function leastBytes({ styles, page }: DocumentParts): number {
  return styles.reduce(
    (sum, { css }) => sum + css.length,
    (page?.head.length ?? 0) + (page?.html.length ?? 0),
  );
}

export function refuseLargeTable({ release }: ReleaseDocument, table: BootTable): void {
  const problem = tableProblem(Buffer.byteLength(JSON.stringify(table)));
  if (problem !== null) throw new ReleaseError(`${release.id}: ${problem}`);
}
