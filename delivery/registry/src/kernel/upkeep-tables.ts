import type { ChannelName } from '@site/contract';

/** The tables of previews and of garbage collection. */
export interface UpkeepTables {
  previews: PreviewsTable;
  changes_under_way: ChangesUnderWayTable;
  wanted_blobs: WantedBlobsTable;
  doomed_blobs: DoomedBlobsTable;
  damaged_blobs: DamagedBlobsTable;
  audit_anchored: AuditAnchoredTable;
}

/** Preview links that were given out. Either `version` or `dev` is set. */
interface PreviewsTable {
  id: string;
  channel: ChannelName;
  app: string;
  version: string | null;
  dev: string | null;
  by: string;
  /** The API token that made it: the preview dies with it. */
  token_id: string;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  ended_because: string | null;
  /** SHA-256, in hex, of the random id in the link: by it alone the edges ask. */
  secret_hash: string;
}

/** Requests that rely on blobs they found in the store, and have not recorded yet that they need them. */
interface ChangesUnderWayTable {
  id: string;
  what: string;
  /** A registry that was killed does not block the collection forever. */
  expires_at: Date;
}

/** Blobs that someone who is about to publish was told need not be uploaded. */
interface WantedBlobsTable {
  integrity: string;
  wanted_at: Date;
}

/** Blobs that nobody needs and that are being deleted. To everyone else they are gone already. */
interface DoomedBlobsTable {
  integrity: string;
  doomed_at: Date;
}

/** Blobs whose stored bytes were found to be wrong. To everyone else they are missing, until they are uploaded again. */
interface DamagedBlobsTable {
  integrity: string;
  found_at: Date;
}

/** One row: the last anchor of the audit log that was written, so that one that is taken out of the store is missed. */
interface AuditAnchoredTable {
  id: number;
  epoch: number;
  sequence: number;
}
