import { sql, type RawBuilder } from 'kysely';

/**
 * A list as rows with one text column `value`, to join or select from. It is a single parameter: statements are limited
 * to 65,535 of them, and a store has more blobs.
 */
export function jsonRows(values: readonly (string | number)[]): RawBuilder<unknown> {
  return sql`jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)`;
}

/**
 * Versions as rows `wanted (app, version)`, to join with. 400 separate conditions would each be evaluated on every row.
 */
export function versionRows(
  versions: Iterable<readonly [app: string, version: string]>,
): RawBuilder<unknown> {
  const rows = [...versions].map(([app, version]) => ({ app, version }));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as wanted (app text, version text)`;
}
