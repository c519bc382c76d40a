import * as v from 'valibot';
import { IntegritySchema, mapSchema } from '@site/contract';
import { TimestampSchema } from '@site/contract/timestamp.schema';

/**
 * A backup is a tar archive: `artifacts/<hex>` for each blob (mode 0644 when browsers get it, 0600 otherwise), and as its
 * last entry `registry.ndjson`. The order is the proof of completeness: an archive that was cut off has no such entry.
 */
export const ROWS_ENTRY = 'registry.ndjson';
export const BLOB_ENTRY = /^artifacts\/([0-9a-f]{96})$/;
export const SERVED_MODE = 0o644;
export const UNSERVED_MODE = 0o600;

export const blobEntry = (hex: string) => `artifacts/${hex}`;

/** The first line of `registry.ndjson`; every other line is a `DumpedRow`. */
export const BackupHeaderSchema = v.strictObject({
  backup: v.literal(1),
  takenAt: TimestampSchema,
  /** The schema's history: rows fit only into tables with the same one. */
  migrations: v.array(v.string()),
  rows: v.number(),
  blobs: v.number(),
  /** Blobs that the store did not have, or had damaged, when the backup was made. */
  lacking: v.array(IntegritySchema),
});
export type BackupHeader = v.InferOutput<typeof BackupHeaderSchema>;

/** A row as the database writes it in JSON. */
export const DumpedRowSchema = v.strictObject({
  table: v.string(),
  row: mapSchema(v.string(), v.unknown()),
});
