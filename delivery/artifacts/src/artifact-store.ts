/** Content encodings prepared before a version is recorded, so that no visitor waits for compression. */
export type StoredEncoding = 'br' | 'gzip';

export interface StoredBlob {
  integrity: string;
  /** The last time it was stored, within a few hours: storing an existing blob renews the date. */
  storedAt: Date;
  /** The size of the uncompressed bytes. */
  bytes: number;
}

/**
 * Content-addressed storage of immutable blobs: the key is the SHA-384 of the uncompressed bytes, so storing
 * a blob twice is harmless.
 */
export interface ArtifactStore {
  /** Whether the blob is stored, without reading it; detects truncated blobs. */
  has(integrity: string): Promise<boolean>;
  /** The size of the uncompressed bytes; null for a missing blob. */
  sizeOf(integrity: string): Promise<number | null>;
  /**
   * Stores a blob. Storing it again repairs its bytes and removes damaged copies.
   * @throws IntegrityMismatchError if the bytes do not match the integrity.
   * @throws ArtifactStoreError if the storage fails.
   */
  put(integrity: string, bytes: Buffer): Promise<void>;
  /**
   * Creates the missing compressed copies of a stored blob. Takes a CPU for up to two seconds, so callers
   * limit the concurrency.
   */
  compress(integrity: string): Promise<void>;
  /**
   * The uncompressed bytes; null for a missing blob. Not verified: disks and networks may damage files, so
   * check the hash before serving or running them.
   */
  get(integrity: string): Promise<Buffer | null>;
  /**
   * The encoded bytes; null if the encoding is not worthwhile or not created yet. Send the uncompressed bytes
   * then.
   */
  getEncoded(integrity: string, encoding: StoredEncoding): Promise<Buffer | null>;
  /** All blobs, in any order. Concurrent changes may or may not be included. */
  list(): AsyncIterable<StoredBlob>;
  /** Deletes a blob and its copies. Idempotent. */
  delete(integrity: string): Promise<void>;
}

/** The bytes do not match the announced hash. Nothing was stored. */
export class IntegrityMismatchError extends Error {
  override name = 'IntegrityMismatchError';
  readonly expected: string;
  readonly actual: string;

  constructor(expected: string, actual: string) {
    super(
      `The bytes have the integrity ${actual}, not ${expected}: they were changed or truncated in transit. Build and send again.`,
    );
    this.expected = expected;
    this.actual = actual;
  }
}

/** The storage failed: no space, no permission, unreachable. */
export class ArtifactStoreError extends Error {
  override name = 'ArtifactStoreError';
}
