import type { ArtifactStore } from './artifact-store.ts';

/** Signed statements that must outlive the database. Immutable and few. */
export interface RecordStore {
  /** @returns false if the name exists: the record stays unchanged. @throws ArtifactStoreError */
  add(name: string, bytes: Buffer): Promise<boolean>;
  get(name: string): Promise<Buffer | null>;
  names(): Promise<string[]>;
  delete(name: string): Promise<void>;
}

export interface SiteStore extends ArtifactStore {
  records: RecordStore;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,127}$/;

export function checkRecordName(name: string): string {
  if (!NAME.test(name)) throw new TypeError(`"${name}" is not a valid record name: a-z, 0-9 and "-" only.`);
  return name;
}

export function isRecordName(name: string): boolean {
  return NAME.test(name);
}
