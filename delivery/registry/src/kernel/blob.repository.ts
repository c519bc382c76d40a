import { sql } from 'kysely';
import { allowIdling } from './in-transaction.ts';
import { jsonRows } from './json-rows.ts';
import type { RegistryDb, RegistryTransaction } from './tables.ts';

export async function markedAmong(db: RegistryDb, integrities: readonly string[]): Promise<Set<string>> {
  const marked = (table: 'doomed_blobs' | 'damaged_blobs') =>
    db
      .selectFrom(table)
      .select('integrity')
      .where(sql<boolean>`integrity in (select value from ${jsonRows(integrities)})`);
  const rows = await marked('doomed_blobs').union(marked('damaged_blobs')).execute();
  return new Set(rows.map(({ integrity }) => integrity));
}

export async function markDamaged(
  db: RegistryDb,
  integrities: readonly string[],
  foundAt: Date,
): Promise<void> {
  await sql`
    insert into registry.damaged_blobs (integrity, found_at)
    select value, ${foundAt} from ${jsonRows([...new Set(integrities)])} order by value
    on conflict do nothing`.execute(db);
}

export async function unmarkDamaged(db: RegistryDb, integrities: readonly string[]): Promise<void> {
  await unmark(db, 'damaged_blobs', integrities);
}

async function unmark(
  db: RegistryDb,
  table: 'doomed_blobs' | 'damaged_blobs',
  integrities: readonly string[],
): Promise<void> {
  // Same order everywhere: concurrent uploads of the same blobs would deadlock otherwise.
  await sql`
    delete from registry.${sql.id(table)} where integrity in (
      select integrity from registry.${sql.id(table)}
      where integrity in (select value from ${jsonRows(integrities)}) order by integrity for update)`.execute(
    db,
  );
}

export async function markForDeletion(
  transaction: RegistryTransaction,
  integrities: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    insert into registry.doomed_blobs (integrity, doomed_at)
    select value, ${at} from ${jsonRows(integrities)}
    on conflict do nothing`.execute(transaction);
}

/** Cancels deletions that have not started, and waits for running ones. */
export async function save(db: RegistryDb, integrities: readonly string[]): Promise<void> {
  await unmark(db, 'doomed_blobs', integrities);
}

export async function listDoomed(db: RegistryDb): Promise<string[]> {
  const rows = await db.selectFrom('doomed_blobs').select('integrity').execute();
  return rows.map(({ integrity }) => integrity);
}

/** Deletes a blob in a transaction with its mark. A concurrent upload waits for it, or saves the blob. */
export async function deleteDoomed(
  db: RegistryDb,
  integrity: string,
  deleteIt: () => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // The mark must stay while the deletion is in flight.
    await allowIdling(transaction);
    const mark = await transaction
      .deleteFrom('doomed_blobs')
      .where('integrity', '=', integrity)
      .returning('integrity')
      .executeTakeFirst();
    if (!mark) return;
    await deleteIt();
    await unmarkDamaged(transaction, [integrity]);
  });
}
