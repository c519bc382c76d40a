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
  /** @throws ReleaseError when one document has more than that many bytes. */
  check(remote: RemoteManifest, page: PageEntry, bytes: number): void;
  /** Counts a document. @throws ReleaseError when it, or all documents of its remote, are too large. */
  add(remote: RemoteManifest, page: PageEntry, bytes: number): void;
}

export function createDocumentLimits(): DocumentLimits {
  const sums = new Map<string, number>();
  const check: DocumentLimits['check'] = ({ app, version }, { path }, bytes) => {
    if (bytes <= documentLimits.bytes) return;
    throw new ReleaseError(
      `${app}@${version}: the document of ${path} is at least ${bytes} bytes; the limit is ${documentLimits.bytes}.`,
    );
  };
  return {
    check,
    add(remote, page, bytes) {
      check(remote, page, bytes);
      const { app, version } = remote;
      const sum = (sums.get(app) ?? 0) + bytes;
      sums.set(app, sum);
      if (sum <= versionLimits.bytes) return;
      throw new ReleaseError(
        `${app}@${version}: its documents are at least ${sum} bytes together; the limit for a version is ${versionLimits.bytes}.`,
      );
    },
  };
}

/** What a document has at least, before it is put together: several of too large a kind are not made at once. */
export function leastBytes({ styles, page }: DocumentParts): number {
  return styles.reduce(
    (sum, { css }) => sum + css.length,
    (page?.head.length ?? 0) + (page?.html.length ?? 0),
  );
}

export function refuseLargeTable({ release }: ReleaseDocument, { bytes }: TableFile): void {
  if (bytes.length <= documentLimits.tableBytes) return;
  throw new ReleaseError(
    `${release.id}: its table of remotes and routes has ${bytes.length} bytes; it has at most ${documentLimits.tableBytes}.`,
  );
}
