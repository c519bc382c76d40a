import { sql, type Kysely } from 'kysely';

/** The size of each manifest, known without reading it. */
export async function addManifestBytes(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table registry.versions
    add column manifest_bytes integer not null generated always as (octet_length(manifest::text)) stored`.execute(
    db,
  );
}
