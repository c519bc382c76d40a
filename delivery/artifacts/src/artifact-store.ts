/** Content encodings prepared before a version is recorded, so that no visitor waits for compression. */
export type StoredEncoding = 'br' | 'gzip';

export interface StoredBlob {
  integrity: string;
  /** The last time it was stored, within a few hours: storing an existing blob renews the date. */
  storedAt: Date;
  bytes: number;
}

/**
 * Content-addressed storage of immutable blobs: the key is the SHA-384 of the uncompressed bytes, so storing
 * a blob twice is harmless.
 */
export interface ArtifactStore {
  has(integrity: string): Promise<boolean>;
  blobSize(integrity: string): Promise<number | null>;
  /**
   * Storing a blob again repairs its bytes and removes damaged copies. @throws IntegrityMismatchError,
   * ArtifactStoreError
   */
  put(integrity: string, bytes: Buffer): Promise<void>;
  /** Takes a CPU for up to two seconds, so callers limit the concurrency. */
  compress(integrity: string): Promise<void>;
  /**
   * Null for a missing blob. Not verified: disks and networks may damage files, so check the hash before serving or
   * running them.
   */
  get(integrity: string): Promise<Buffer | null>;
  /** Null if the encoding is not worthwhile or not created yet: send the uncompressed bytes then. */
  getEncoded(integrity: string, encoding: StoredEncoding): Promise<Buffer | null>;
  list(): AsyncIterable<StoredBlob>;
  /** With its copies. Idempotent. */
  delete(integrity: string): Promise<void>;
}

export class IntegrityMismatchError extends Error {
  override name = 'IntegrityMismatchError';
  readonly expected: string;
  readonly actual: string;

  constructor(expected: string, actual: string) {
    super(
      `The bytes have the integrity ${actual}, not ${expected}: they were changed or truncated in transit. Build ` +
        'and send again.',
    );
    this.expected = expected;
    this.actual = actual;
  }
}

export class ArtifactStoreError extends Error {
  override name = 'ArtifactStoreError';
}
