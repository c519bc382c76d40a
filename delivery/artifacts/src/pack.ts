import * as v from 'valibot';
import { IntegritySchema } from '@site/contract';

/** A blob in a pack: as it is, or as its brotli copy. */
export interface Packed {
  integrity: string;
  isBrotli: boolean;
  bytes: Buffer;
}

/** A larger one is worth a request of its own, and a pack is in memory as a whole. */
export const LARGEST_PACKED_BYTES = 256 * 1024;
/** Those that come first are packed. */
const LARGEST_PACK_BYTES = 4 * 1024 * 1024;

const IndexSchema = v.array(
  v.strictTuple([IntegritySchema, v.picklist(['raw', 'br']), v.pipe(v.number(), v.integer(), v.minValue(0))]),
);

/**
 * Many blobs as one, for readers that need all of them: what they are and how long each is, as one line of JSON, then their bytes.
 *
 * @returns the pack, and what it holds: large blobs, and what would make it too large, are left out. Null when there are not at
 * least two to pack: a pack would save no request.
 */
export function makePack(blobs: readonly Packed[]): { bytes: Buffer; holds: ReadonlySet<string> } | null {
  const packed: Packed[] = [];
  let sum = 0;
  for (const blob of new Map(blobs.map((each) => [each.integrity, each])).values()) {
    if (blob.bytes.length > LARGEST_PACKED_BYTES || sum + blob.bytes.length > LARGEST_PACK_BYTES) continue;
    sum += blob.bytes.length;
    packed.push(blob);
  }
  if (packed.length < 2) return null;
  const index = packed.map(({ integrity, isBrotli, bytes }) => [
    integrity,
    isBrotli ? 'br' : 'raw',
    bytes.length,
  ]);
  const bytes = Buffer.concat([
    Buffer.from(`${JSON.stringify(index)}\n`),
    ...packed.map((blob) => blob.bytes),
  ]);
  return { bytes, holds: new Set(packed.map(({ integrity }) => integrity)) };
}

/**
 * What is in a pack. The bytes are copies: keeping one of them does not keep the whole pack in memory.
 *
 * @throws Error when the bytes are not a pack.
 */
export function readPack(pack: Buffer): Packed[] {
  const end = pack.indexOf('\n');
  let at = end + 1;
  return v
    .parse(IndexSchema, JSON.parse(pack.toString('utf8', 0, end)))
    .map(([integrity, encoding, length]) => {
      if (at + length > pack.length) throw new Error(`The pack ends before ${integrity} does.`);
      const bytes = Buffer.from(pack.subarray(at, at + length));
      at += length;
      return { integrity, isBrotli: encoding === 'br', bytes };
    });
}
