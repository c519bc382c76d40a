/** Content encodings that are prepared once, before a version is recorded, so that no visitor ever waits for a compressor. */
export type StoredEncoding = 'br' | 'gzip';

/** A blob that is in the store. */
export interface StoredBlob {
  integrity: string;
  /** When it was put the last time, to within a few hours: putting a blob that is there already renews it. */
  storedAt: Date;
  /** The size of the raw bytes. */
  bytes: number;
}

/**
 * Content-addressed storage of immutable blobs: the SHA-384 of the raw bytes is the key, so the same key always gives
 * the same bytes, and putting a blob twice is harmless.
 */
export interface ArtifactStore {
  /** Whether the blob is stored, as far as can be told without reading it: one that was cut short is not. */
  has(integrity: string): Promise<boolean>;
  /** The size of the raw bytes, or null when the blob is not stored. */
  sizeOf(integrity: string): Promise<number | null>;
  /**
   * Stores a blob as it is. Putting it again repairs its bytes and takes damaged copies away.
   * @throws IntegrityMismatchError when the bytes are not those that the integrity names.
   * @throws ArtifactStoreError when the storage refuses.
   */
  put(integrity: string, bytes: Buffer): Promise<void>;
  /**
   * Makes the compressed copies of a stored blob that browsers get, unless they are there. It takes a processor for up to
   * a second or two, so callers bound how many run at once.
   */
  compress(integrity: string): Promise<void>;
  /**
   * The raw bytes, or null when the blob is not stored. They are what the storage has: disks and networks damage
   * files, so compare their hash before serving or running them.
   */
  get(integrity: string): Promise<Buffer | null>;
  /** The bytes in an encoding, or null when there is none: it is not worth it, or was not made yet. The raw bytes are sent then. */
  getEncoded(integrity: string, encoding: StoredEncoding): Promise<Buffer | null>;
  /** Every blob, in no particular order. Blobs that are put or deleted meanwhile may or may not be among them. */
  list(): AsyncIterable<StoredBlob>;
  /** Removes a blob and its compressed copies. One that is not stored is removed already. */
  delete(integrity: string): Promise<void>;
}

/** The bytes do not have the hash that was announced for them. Nothing was stored. */
export class IntegrityMismatchError extends Error {
  override name = 'IntegrityMismatchError';
  readonly expected: string;
  readonly actual: string;

  constructor(expected: string, actual: string) {
    super(
      `The bytes have the integrity ${actual}, not ${expected}: they were changed or cut on the way. Build and send again.`,
    );
    this.expected = expected;
    this.actual = actual;
  }
}

/** The storage itself refused: no space, no permission, unreachable. */
export class ArtifactStoreError extends Error {
  override name = 'ArtifactStoreError';
}
