import { sql, type RawBuilder } from 'kysely';

/**
 * A list as rows with one text column `value`, to join with or to select from. It travels as one parameter: a statement
 * may have 65,535 of them, and a store has more blobs.
 */
export function rowsOf(values: readonly (string | number)[]): RawBuilder<unknown> {
  return sql`jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)`;
}

/** Versions as rows `wanted (app, version)`, to join with: a condition for each of 400 would be tried on every row. */
export function versionRows(
  versions: Iterable<readonly [app: string, version: string]>,
): RawBuilder<unknown> {
  const rows = [...versions].map(([app, version]) => ({ app, version }));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as wanted (app text, version text)`;
}
