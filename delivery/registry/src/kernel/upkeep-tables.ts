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

/** Preview links. Either `version` or `dev` is set. */
interface PreviewsTable {
  id: string;
  channel: ChannelName;
  app: string;
  version: string | null;
  dev: string | null;
  by: string;
  /** The API token that created it: the preview ends with it. */
  token_id: string;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  ended_because: string | null;
  /** SHA-256, in hex, of the link's random id. Edges query by this hash only. */
  secret_hash: string;
}

/** Requests that rely on stored blobs before recording their need. */
interface ChangesUnderWayTable {
  id: string;
  what: string;
  /** They expire, so a killed registry does not block collections forever. */
  expires_at: Date;
}

/** Blobs that a publishing client will not upload, because they were reported as present. */
interface WantedBlobsTable {
  integrity: string;
  wanted_at: Date;
}

/** Unneeded blobs that are being deleted. They count as missing. */
interface DoomedBlobsTable {
  integrity: string;
  doomed_at: Date;
}

/** Damaged blobs. They count as missing until they are uploaded again. */
interface DamagedBlobsTable {
  integrity: string;
  found_at: Date;
}

/** One row: the last written anchor of the audit log, so that its deletion is detected. */
interface AuditAnchoredTable {
  id: number;
  epoch: number;
  sequence: number;
}
