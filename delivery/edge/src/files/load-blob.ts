import { promisify } from 'node:util';
import { brotliDecompress, gunzip, type InputType, type ZlibOptions } from 'node:zlib';
import type { ArtifactStore, StoredEncoding } from '@site/artifacts/artifact-store';
import { integrityOf } from '@site/contract/integrity-of';
import type { EncodedBody } from './body.ts';
import { FileMissingError, ReleaseError } from './release-error.ts';

/** As much of an artifact store as an edge needs. */
export type BlobReader = Pick<ArtifactStore, 'get' | 'getEncoded'>;

type Decode = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;
const decoders: Record<StoredEncoding, Decode> = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

/**
 * Reads a blob and checks it: what does not have the hash that the release recorded is never served.
 *
 * @param what names the blob in messages.
 * @throws FileMissingError when it is missing.
 * @throws ReleaseError when it is damaged.
 */
export async function loadBytes(store: BlobReader, integrity: string, what: string): Promise<Buffer> {
  const bytes = await store.get(integrity);
  if (!bytes) throw new FileMissingError(`The store does not have ${what} (${integrity}).`);
  const actual = integrityOf(bytes);
  if (actual !== integrity) {
    throw new ReleaseError(
      `The store's copy of ${what} is damaged: it has the hash ${actual}, not ${integrity}.`,
    );
  }
  return bytes;
}

/** Reads a file that visitors get, with its compressed copies. A damaged copy is left out: the file is then sent plain. */
export async function loadBody(store: BlobReader, integrity: string, what: string): Promise<EncodedBody> {
  const identity = await loadBytes(store, integrity, what);
  const [br, gzip] = await Promise.all([
    loadEncoded(store, integrity, 'br', identity),
    loadEncoded(store, integrity, 'gzip', identity),
  ]);
  return { identity, br, gzip, tag: integrity.slice('sha384-'.length, 'sha384-'.length + 24) };
}

async function loadEncoded(
  store: BlobReader,
  integrity: string,
  encoding: StoredEncoding,
  identity: Buffer,
): Promise<Buffer | null> {
  const encoded = await store.getEncoded(integrity, encoding);
  if (!encoded) return null;
  return (await decode(encoded, encoding, identity.length))?.equals(identity) ? encoded : null;
}

/** Unpacks a compressed copy. Null when it is damaged, or larger than allowed. */
export async function decode(
  encoded: Buffer,
  encoding: StoredEncoding,
  maxBytes: number,
): Promise<Buffer | null> {
  return decoders[encoding](encoded, { maxOutputLength: Math.max(maxBytes, 1) }).catch(() => null);
}
