import type { ArtifactStore } from '@site/artifacts/artifact-store';
import { decompress } from '@site/artifacts/blob-state';
import { COMPRESSED_FROM_BYTES } from '@site/artifacts/encodings';
import { versionLimits } from '@site/contract';
import { computeIntegrity } from '@site/contract/integrity';
import { compressedBody, type EncodedBody } from '@site/server/encoded-body';
import { ReleaseError } from '@site/documents/release-error';

/** It was collected or never uploaded. */
export class FileMissingError extends ReleaseError {
  override name = 'FileMissingError';
}

export type BlobReader = Pick<ArtifactStore, 'get' | 'getEncoded'>;

/**
 * Verifies the blob against the hash in the release. @param what names the blob in messages. @throws
 * FileMissingError, ReleaseError if it is damaged.
 */
export async function loadBytes(store: BlobReader, integrity: string, what: string): Promise<Buffer> {
  const bytes = await store.get(integrity);
  if (!bytes) throw new FileMissingError(`The store does not have ${what} (${integrity}).`);
  const actual = computeIntegrity(bytes);
  if (actual !== integrity) {
    throw new ReleaseError(
      `The store's copy of ${what} is damaged: it has the hash ${actual}, not ${integrity}.`,
    );
  }
  return bytes;
}

/**
 * One read of the brotli copy gives both encodings. Without a valid copy, the file itself is read and sent
 * uncompressed.
 */
export async function loadBody(
  store: BlobReader,
  integrity: string,
  what: string,
  size: number = COMPRESSED_FROM_BYTES,
): Promise<EncodedBody> {
  const tag = integrity.slice('sha384-'.length, 'sha384-'.length + 24);
  const br = size < COMPRESSED_FROM_BYTES ? null : await store.getEncoded(integrity, 'br');
  const unpacked = br && (await decompress(br, 'br', versionLimits.bytes));
  if (br && unpacked && computeIntegrity(unpacked) === integrity) return compressedBody(unpacked, br, tag);
  return { identity: await loadBytes(store, integrity, what), br: null, gzip: null, tag };
}
