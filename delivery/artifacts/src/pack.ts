import * as v from 'valibot';
import { IntegritySchema } from '@site/contract';

export interface Packed {
  integrity: string;
  isBrotli: boolean;
  bytes: Buffer;
}

/** A larger blob is worth its own request, and a pack is completely in memory. */
export const LARGEST_PACKED_BYTES = 256 * 1024;
/** Earlier blobs take precedence. */
const LARGEST_PACK_BYTES = 4 * 1024 * 1024;

const IndexSchema = v.array(
  v.strictTuple([IntegritySchema, v.picklist(['raw', 'br']), v.pipe(v.number(), v.integer(), v.minValue(0))]),
);

/**
 * For readers that need all blobs: one line of JSON with integrities and lengths, then the bytes. @returns the pack
 * and its contents, without large blobs and without those beyond the size limit. Null for fewer than two blobs,
 * because a pack would save no request.
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

/** The bytes are copies, so keeping one does not keep the pack in memory. @throws Error for an invalid pack. */
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
