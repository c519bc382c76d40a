import type { StoredEncoding } from './artifact-store.ts';
import { isCopyOf } from './blob-state.ts';

/** What the name of a blob's compressed copy ends with. */
export const SUFFIX: Record<StoredEncoding, string> = { br: '.br', gzip: '.gz' };
const COPIES = ['br', 'gzip'] as const;

/** Where copies are: files of a folder, or objects of a bucket. */
interface Place {
  /** Null when there is nothing under the name. */
  read(name: string): Promise<Buffer | null>;
  remove(name: string): Promise<void>;
}

/**
 * When one is damaged, both go: without a gzip copy they are made again.
 *
 * @param name of the blob, with these bytes: its copies are beside it.
 */
export async function removeDamagedCopies(
  { read, remove }: Place,
  name: string,
  bytes: Buffer,
): Promise<void> {
  for (const encoding of COPIES) {
    const copy = await read(name + SUFFIX[encoding]);
    if (!copy || (await isCopyOf(bytes, copy, encoding))) continue;
    for (const each of COPIES) await remove(name + SUFFIX[each]);
  }
}
