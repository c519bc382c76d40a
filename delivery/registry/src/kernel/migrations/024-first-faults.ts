import type { Kysely } from 'kysely';

/** Finds the version that had a fault first: it is asked for each group that is listed. */
export async function addFirstFaults(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('fault_groups_by_first')
    .on('fault_groups')
    .columns(['channel', 'app', 'fingerprint', 'first_at', 'version'])
    .execute();
}
