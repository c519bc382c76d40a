import type { Kysely } from 'kysely';

/** Finds the first version with a fault. The query runs for each listed group. */
export async function addFirstFaults(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('fault_groups_by_first')
    .on('fault_groups')
    .columns(['channel', 'app', 'fingerprint', 'first_at', 'version'])
    .execute();
}
