import { sql, type Kysely } from 'kysely';

/**
 * A column for a version's commit. An expression index over the manifest made every update of a version decompress it.
 * That was over half of the time that a collection of 2,500 versions blocked all changes.
 */
export async function addCommitColumn(db: Kysely<unknown>): Promise<void> {
  await sql`drop index registry.versions_by_commit`.execute(db);
  await sql`
    alter table registry.versions
    add column commit text generated always as (manifest ->> 'commit') stored`.execute(db);
  await sql`create index versions_by_commit on registry.versions (commit text_pattern_ops)`.execute(db);
}
