import type { Kysely } from 'kysely';

/** Whom a confirmed referral left out, because of what its sender did. */
export async function addSkipped(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('subscriptions').addColumn('skipped', 'text').execute();
}
