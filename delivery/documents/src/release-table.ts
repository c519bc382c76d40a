import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import { assetUrl, RELEASE_FOLDER, type BootTable } from '@site/contract';

export interface TableFile {
  url: string;
  integrity: string;
  bytes: Buffer;
}

export const tableName = /^table\.[0-9a-f]{32}\.json$/;

/** In bytes of JSON. The site's own table has about 9 KB, so it is a file. */
const INLINE_TABLE_BYTES = 8 * 1024;

/**
 * Null if the table is small enough to embed in every document. The URL is derived from the contents, independent of
 * order: every edge uses the same URL, and after a rollback browsers already have the file cached.
 */
export function tableFile(
  { remotes, routes, redirects, gone }: BootTable,
  inlineBytes = INLINE_TABLE_BYTES,
): TableFile | null {
  const ordered: BootTable = {
    remotes: sorted(remotes, ({ name }) => name),
    routes: sorted(routes, ({ path }) => path),
    redirects: sorted(redirects, ({ from }) => from),
    ...(gone ? { gone: gone.toSorted() } : {}),
  };
  const bytes = Buffer.from(JSON.stringify(ordered));
  if (bytes.length <= inlineBytes) return null;
  const integrity = computeIntegrity(bytes);
  return {
    url: assetUrl(RELEASE_FOLDER, `table.${integrityHex(integrity).slice(0, 32)}.json`),
    integrity,
    bytes,
  };
}

function sorted<T>(items: T[], key: (item: T) => string): T[] {
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
