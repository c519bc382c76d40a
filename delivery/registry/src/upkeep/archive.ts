import * as v from 'valibot';
import { IntegritySchema, mapSchema } from '@site/contract';
import { TimestampSchema } from '@site/contract/timestamp.schema';
import { IntegrityMismatchError } from '@site/artifacts/artifact-store';
import { ApiError } from '@site/server/api-error';
import { registryErrors } from '../kernel/registry-errors.ts';

/**
 * A backup is a tar archive: `artifacts/<hex>` for each blob (mode 0644 if public, otherwise 0600), then
 * `registry.ndjson` as the last entry. An archive without that entry is truncated.
 */
export const ROWS_ENTRY = 'registry.ndjson';
export const BLOB_ENTRY = /^artifacts\/([0-9a-f]{96})$/;
export const SERVED_MODE = 0o644;
export const UNSERVED_MODE = 0o600;

export const blobEntry = (hex: string) => `artifacts/${hex}`;

export const BackupHeaderSchema = v.strictObject({
  backup: v.literal(1),
  takenAt: TimestampSchema,
  /** The migration history: rows fit only into tables with the same one. */
  migrations: v.array(v.string()),
  rows: v.number(),
  blobs: v.number(),
  lacking: v.array(IntegritySchema),
});
export type BackupHeader = v.InferOutput<typeof BackupHeaderSchema>;

export const DumpedRowSchema = v.strictObject({
  table: v.string(),
  row: mapSchema(v.string(), v.unknown()),
});

export function invalid(problem: string, cause?: unknown): ApiError {
  return registryErrors.backup_invalid(problem, cause === undefined ? {} : { cause });
}

export function explain(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof IntegrityMismatchError) return invalid('A file in it was changed.', error);
  const { code, message } = error as { code?: unknown; message?: string };
  // SQLSTATE class 22: invalid value for a column; 23: constraint violation.
  if (typeof code === 'string' && /^2[23]...$/.test(code))
    return invalid('Its rows do not fit together.', error);
  if (/^(Unexpected end of data|Invalid tar header|Invalid header|Header exceeds)/.test(message ?? '')) {
    return invalid('It is not a tar archive, or it was truncated or changed.', error);
  }
  return error;
}
