import { sql, type Kysely } from 'kysely';

/** The forms of remotes' own. Empty for all that was published before, and by a former registry, which takes no version with some. */
export async function addDeclaredForms(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registry.versions add column declared_forms jsonb`.execute(db);
}
