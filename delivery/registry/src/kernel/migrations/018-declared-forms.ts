import { sql, type Kysely } from 'kysely';

/** Form declarations of remotes. Empty for existing versions. An older registry rejects versions with declarations. */
export async function addDeclaredForms(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registry.versions add column declared_forms jsonb`.execute(db);
}
