import type { QuarantineAnswer } from '@site/contract';

/** Null for no row, or an empty one from a join. */
export function quarantined(
  row: { reason: string | null; by: string | null; at: Date | null } | undefined,
): QuarantineAnswer['quarantined'] {
  if (!row || row.reason === null || row.by === null || row.at === null) return null;
  return { reason: row.reason, by: row.by, at: row.at.toISOString() };
}
