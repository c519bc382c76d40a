import { sql, type SelectQueryBuilder } from 'kysely';
import type { RegistryDb, RegistryTables } from './tables.ts';

/** Rows of a long result in memory at a time. */
const SLICE_ROWS = 500;

let cursors = 0;

/**
 * One pass and one snapshot with bounded memory.
 * @param db a transaction is used as is; otherwise a new one holds a connection until the end.
 */
export async function inSlices<Row>(
  db: RegistryDb,
  query: SelectQueryBuilder<RegistryTables, keyof RegistryTables, Row>,
  take: (rows: readonly Row[]) => void,
): Promise<void> {
  if (!db.isTransaction) return db.transaction().execute((transaction) => inSlices(transaction, query, take));
  const cursor = sql.id(`slices_${++cursors}`);
  await sql`declare ${cursor} no scroll cursor for ${query}`.execute(db);
  for (let isOver = false; !isOver;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(SLICE_ROWS)} from ${cursor}`.execute(db);
    take(rows);
    isOver = rows.length < SLICE_ROWS;
  }
  await sql`close ${cursor}`.execute(db);
}
