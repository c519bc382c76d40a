import { sql, type Kysely } from 'kysely';

/** The remotes that a release leaves out, with their previous versions. Their paths stay reserved. */
export async function addAbsentApps(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('releases')
    .addColumn('absent', 'jsonb', (c) => c.notNull().defaultTo(sql`'{}'::jsonb`))
    .execute();
}
