import type { Kysely } from 'kysely';

/** Keyless publishing by pipelines, and the provenance of versions. */
export async function addTrusts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('trusts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('audience', 'text', (c) => c.notNull())
    .addColumn('claims', 'jsonb', (c) => c.notNull())
    .addColumn('activate', 'boolean', (c) => c.notNull())
    .addColumn('by', 'text', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .addColumn('used_at', 'timestamptz')
    .execute();
  await db.schema
    .createTable('used_id_tokens')
    .addColumn('digest', 'text', (c) => c.primaryKey())
    .addColumn('good_until', 'timestamptz', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('used_id_tokens_by_age').on('used_id_tokens').columns(['good_until']).execute();
  await db.schema
    .alterTable('tokens')
    .addColumn('trusts', 'jsonb')
    .addColumn('provenance', 'jsonb')
    .execute();
  await db.schema.alterTable('versions').addColumn('provenance', 'jsonb').execute();
}
