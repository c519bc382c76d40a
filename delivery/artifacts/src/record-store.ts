import type { ArtifactStore } from './artifact-store.ts';

/**
 * Small named records beside the blobs: signed statements that must outlive the database. A record appears once and is
 * never changed; there are few of them.
 */
export interface RecordStore {
  /**
   * Adds a record.
   *
   * @returns false when there is one of that name: it stays as it is.
   * @throws ArtifactStoreError when the storage refuses.
   */
  add(name: string, bytes: Buffer): Promise<boolean>;
  /** Null when there is none of that name. */
  get(name: string): Promise<Buffer | null>;
  /** The names of all records. */
  names(): Promise<string[]>;
  /** One that is not there is removed already. */
  delete(name: string): Promise<void>;
}

/** A store for blobs and for records. */
export interface SiteStore extends ArtifactStore {
  records: RecordStore;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,127}$/;

/** @throws TypeError for a name that could lead elsewhere. */
export function checkRecordName(name: string): string {
  if (!NAME.test(name)) throw new TypeError(`"${name}" is not a valid record name: a-z, 0-9 and "-" only.`);
  return name;
}

/** Whether a file or object can be a record; anything else beside them is somebody else's. */
export function isRecordName(name: string): boolean {
  return NAME.test(name);
}
