import { readPack, type Packed } from '@site/artifacts/pack';
import type { StoredEncoding } from '@site/artifacts/artifact-store';
import { loadBytes, type BlobReader } from './load-blob.ts';

/**
 * Reads what is in a pack as if it was a store. A pack saves requests and nothing depends on it: without a good one
 * everything is a blob of its own.
 *
 * @returns null when it cannot be read, is damaged or is not a pack.
 */
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
 * Unpacks what no release in memory has unpacked: a pack that one has was read as a whole, and is among the copies on this
 * machine's disk. That holds for every pack of a release that is served, also for one whose files are all known.
 *
 * @param packs gets the pack when it was read, now or before.
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
