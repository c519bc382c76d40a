import type { Kysely } from 'kysely';

/** Preview links, and the data that garbage collection needs about concurrent work. */
export async function previewsAndUpkeep(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('signing_keys')
    .addColumn('kid', 'text', (c) => c.primaryKey())
    .addColumn('private_jwk', 'jsonb', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('previews')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('version', 'text')
    .addColumn('dev', 'text')
    .addColumn('by', 'text', (c) => c.notNull())
    .addColumn('token_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('expires_at', 'timestamptz', (c) => c.notNull())
    .addColumn('revoked_at', 'timestamptz')
    .addForeignKeyConstraint('previews_version_fk', ['app', 'version'], 'versions', ['app', 'version'])
    .execute();

  await db.schema.alterTable('versions').addColumn('collected_at', 'timestamptz').execute();

  await db.schema
    .createTable('changes_under_way')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('what', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'timestamptz', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('wanted_blobs')
    .addColumn('integrity', 'text', (c) => c.primaryKey())
    .addColumn('wanted_at', 'timestamptz', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('doomed_blobs')
    .addColumn('integrity', 'text', (c) => c.primaryKey())
    .addColumn('doomed_at', 'timestamptz', (c) => c.notNull())
    .execute();
}
