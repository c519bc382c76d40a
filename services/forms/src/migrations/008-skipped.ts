import type { Kysely } from 'kysely';

/** Recipients that a confirmed referral skipped because of its sender's actions. */
export async function addSkipped(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('subscriptions').addColumn('skipped', 'text').execute();
}
