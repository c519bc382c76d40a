import { sql, type Kysely } from 'kysely';

/** Finds the versions whose server bundle or source maps a file is. */
export async function addPrivateBlobs(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`alter table registry.versions add column server text
      generated always as (manifest #>> '{server,integrity}') stored`,
    sql`create index versions_by_server on registry.versions (server)`,
    sql`create index versions_by_source_maps on registry.versions (source_maps)`,
  ])
    await statement.execute(db);
}
