import { promisify } from 'node:util';
import { brotliDecompress, gunzip, type InputType, type ZlibOptions } from 'node:zlib';
import type { ArtifactStore, StoredEncoding } from './artifact-store.ts';
import { computeIntegrity } from '@site/contract/integrity';

type Decode = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;
const decoders: Record<StoredEncoding, Decode> = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

/** `contents`: the bytes have another hash. `copies`: the bytes are correct, but a compressed copy is not. */
export type BlobState = 'good' | 'missing' | 'contents' | 'copies';

export async function blobState(
  store: Pick<ArtifactStore, 'get' | 'getEncoded'>,
  integrity: string,
): Promise<BlobState> {
  const bytes = await store.get(integrity);
  if (!bytes) return 'missing';
  if (computeIntegrity(bytes) !== integrity) return 'contents';
  for (const encoding of ['br', 'gzip'] as const) {
    const copy = await store.getEncoded(integrity, encoding);
    if (copy && !(await isEncodedCopy(bytes, copy, encoding))) return 'copies';
  }
  return 'good';
}

/** Never decompresses beyond the size of these bytes. */
export async function isEncodedCopy(bytes: Buffer, copy: Buffer, encoding: StoredEncoding): Promise<boolean> {
  return (await decompress(copy, encoding, bytes.length))?.equals(bytes) ?? false;
}

/** Null if the copy is damaged or larger than allowed. */
export async function decompress(
  copy: Buffer,
  encoding: StoredEncoding,
  maxBytes: number,
): Promise<Buffer | null> {
  return decoders[encoding](copy, { maxOutputLength: Math.max(maxBytes, 1) }).catch(() => null);
}
