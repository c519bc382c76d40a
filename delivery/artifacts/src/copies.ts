import type { StoredEncoding } from './artifact-store.ts';
import { isEncodedCopy } from './blob-state.ts';

export const SUFFIX: Record<StoredEncoding, string> = { br: '.br', gzip: '.gz' };
const COPIES = ['br', 'gzip'] as const;

interface Place {
  read(name: string): Promise<Buffer | null>;
  remove(name: string): Promise<void>;
}

/**
 * Removes both if one is damaged: a missing gzip copy triggers their creation. @param name of the blob, which has
 * these bytes.
 */
export async function removeDamagedCopies(
  { read, remove }: Place,
  name: string,
  bytes: Buffer,
): Promise<void> {
  for (const encoding of COPIES) {
    const copy = await read(name + SUFFIX[encoding]);
    if (!copy || (await isEncodedCopy(bytes, copy, encoding))) continue;
    for (const each of COPIES) await remove(name + SUFFIX[each]);
  }
}
