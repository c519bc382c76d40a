import { sql, type RawBuilder } from 'kysely';

/**
 * A list as rows with one text column `value`, to join with or to select from. It travels as one parameter: a statement
 * may have 65,535 of them, and a store has more blobs.
 */
export function rowsOf(values: readonly (string | number)[]): RawBuilder<unknown> {
  return sql`jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)`;
}
