import { blobState, type BlobState } from '@site/artifacts/blob-state';
import { inParallel } from '@site/contract/in-parallel';
import type { ProtectedStore } from './context.ts';

/** Blobs in memory at the same time. */
const AT_ONCE = 4;

/** Reads and verifies blobs. Damaged ones count as missing until they are uploaded again. */
export function examineBlobs<T>(
  store: ProtectedStore,
  integrities: readonly string[],
  tell: (integrity: string, state: BlobState) => T,
): Promise<T[]> {
  return inParallel(AT_ONCE, integrities, async (integrity) => {
    const state = await blobState(store, integrity);
    if (state === 'contents' || state === 'copies') await store.markDamaged([integrity]);
    return tell(integrity, state);
  });
}
