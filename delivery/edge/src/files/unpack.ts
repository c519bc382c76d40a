import { readPack, type Packed } from '@site/artifacts/pack';
import type { StoredEncoding } from '@site/artifacts/artifact-store';
import { loadBytes, type BlobReader } from './load-blob.ts';

/** Packs only save requests: without a valid one (null), everything is read as single blobs. */
export async function unpack(store: BlobReader, pack: string): Promise<BlobReader | null> {
  let packed: Map<string, Packed>;
  try {
    const bytes = await loadBytes(store, pack, 'a pack');
    packed = new Map(readPack(bytes).map((each) => [each.integrity, each]));
  } catch {
    return null;
  }
  const find = (integrity: string, isBrotli: boolean) => {
    const found = packed.get(integrity);
    return found?.isBrotli === isBrotli ? found.bytes : null;
  };
  return {
    get: (integrity) => Promise.resolve(find(integrity, false)),
    getEncoded: (integrity, encoding: StoredEncoding) =>
      Promise.resolve(encoding === 'br' ? find(integrity, true) : null),
  };
}

/**
 * Unless a release in memory already did. Every pack of a served release is read, even if all its files are known, so
 * that a copy of it is on this machine's disk. @param packs receives the pack if it is read now or was read before.
 */
export async function unpackOnce(
  store: BlobReader,
  pack: string | undefined,
  { known, packs }: { known: readonly { packs: ReadonlySet<string> }[]; packs: Set<string> },
): Promise<BlobReader | null> {
  if (pack === undefined) return null;
  const isKnown = packs.has(pack) || known.some((release) => release.packs.has(pack));
  const unpacked = isKnown ? null : await unpack(store, pack);
  if (isKnown || unpacked) packs.add(pack);
  return unpacked;
}
