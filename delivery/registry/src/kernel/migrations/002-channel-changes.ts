import { sql, type Kysely } from 'kysely';

/** Rebased canaries, freezes, and edges that report canaries. */
export async function addChannelChanges(db: Kysely<unknown>): Promise<void> {
  // The canary's initial release. Rebases of the canary create later ones.
  await db.schema
    .alterTable('channels')
    .addColumn('candidate_first', 'integer', (c) => c.references('releases.number'))
    .execute();
  await sql`update registry.channels set candidate_first = candidate`.execute(db);
  await db.schema
    .alterTable('channels')
    .addCheckConstraint('channels_candidate_first', sql`(candidate is null) = (candidate_first is null)`)
    .execute();

  await db.schema
    .createTable('freezes')
    .addColumn('channel', 'text', (c) => c.notNull().references('channels.name'))
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('by', 'text', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('freezes_pk', ['channel', 'app'])
    .execute();

  await db.schema
    .alterTable('edges')
    .addColumn('candidate', 'integer')
    .addColumn('candidate_basis_points', 'integer')
    .execute();
}
