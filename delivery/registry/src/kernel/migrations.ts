import { sql, type Kysely } from 'kysely';
import type { Migration } from '@site/server/open-database';
import { addChannelChanges } from './migrations/002-channel-changes.ts';
import { previewsAndUpkeep } from './migrations/003-previews-and-upkeep.ts';
import { addLiveVersions } from './migrations/004-live-versions.ts';
import { addAppUsage } from './migrations/005-app-usage.ts';
import { opaquePreviews } from './migrations/006-opaque-previews.ts';
import { numberReleasesByRow } from './migrations/008-release-numbers.ts';
import { addAbsentApps } from './migrations/009-absent-apps.ts';
import { anchorsAndDamage } from './migrations/010-anchors-and-damage.ts';
import { addManifestBytes } from './migrations/011-manifest-bytes.ts';
import { addPacksAndWeights } from './migrations/012-packs-and-weights.ts';
import { addSignals } from './migrations/013-signals.ts';
import { addAlerts } from './migrations/014-alerts.ts';
import { addSourceMaps } from './migrations/015-source-maps.ts';
import { addConsole } from './migrations/016-console.ts';
import { addOwnedApps } from './migrations/017-owned-apps.ts';
import { addDeclaredForms } from './migrations/018-declared-forms.ts';
import { addTrusts } from './migrations/019-trusts.ts';
import { addInboxTold } from './migrations/022-inbox-told.ts';
import { addCountsOfHours } from './migrations/023-counts-of-hours.ts';
import { addFirstFaults } from './migrations/024-first-faults.ts';
import { addFormsAndBrowsers } from './migrations/025-forms-and-browsers.ts';
import { countUsageByStatement } from './migrations/026-usage-by-statement.ts';
import { addCommitColumn } from './migrations/027-commit-column.ts';

/** The migrations of the schema `registry`. Released steps are immutable: add a new one. */
export const registryMigrations: Migration[] = [
  { name: '001-registry', up: createRegistry },
  { name: '002-channel-changes', up: addChannelChanges },
  { name: '003-previews-and-upkeep', up: previewsAndUpkeep },
  { name: '004-live-versions', up: addLiveVersions },
  { name: '005-app-usage', up: addAppUsage },
  { name: '006-opaque-previews', up: opaquePreviews },
  { name: '008-release-numbers', up: numberReleasesByRow },
  { name: '009-absent-apps', up: addAbsentApps },
  { name: '010-anchors-and-damage', up: anchorsAndDamage },
  { name: '011-manifest-bytes', up: addManifestBytes },
  { name: '012-packs-and-weights', up: addPacksAndWeights },
  { name: '013-signals', up: addSignals },
  { name: '014-alerts', up: addAlerts },
  { name: '015-source-maps', up: addSourceMaps },
  { name: '016-console', up: addConsole },
  { name: '017-owned-apps', up: addOwnedApps },
  { name: '018-declared-forms', up: addDeclaredForms },
  { name: '019-trusts', up: addTrusts },
  { name: '022-inbox-told', up: addInboxTold },
  { name: '023-counts-of-hours', up: addCountsOfHours },
  { name: '024-first-faults', up: addFirstFaults },
  { name: '025-forms-and-browsers', up: addFormsAndBrowsers },
  { name: '026-usage-by-statement', up: countUsageByStatement },
  { name: '027-commit-column', up: addCommitColumn },
];

async function createRegistry(db: Kysely<unknown>): Promise<void> {
  await createVersionTables(db);
  await createReleaseTables(db);
  await createOperationTables(db);
  await forbidRewriting(db);
}

async function createVersionTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('versions')
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('sequence', 'integer', (c) => c.generatedAlwaysAsIdentity().notNull().unique())
    .addColumn('manifest', 'jsonb', (c) => c.notNull())
    .addColumn('content_digest', 'text', (c) => c.notNull())
    .addColumn('published_by', 'text', (c) => c.notNull())
    .addColumn('published_at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('versions_pk', ['app', 'version'])
    .execute();

  await db.schema
    .createTable('quarantines')
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('by', 'text', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('quarantines_pk', ['app', 'version'])
    .addForeignKeyConstraint('quarantines_version_fk', ['app', 'version'], 'versions', ['app', 'version'])
    .execute();

  await db.schema
    .createTable('assets')
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('integrity', 'text', (c) => c.notNull())
    .addColumn('size', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('assets_pk', ['app', 'path'])
    .execute();

  await db.schema
    .createTable('rendered_pages')
    .addColumn('shell_version', 'text', (c) => c.notNull())
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('app_version', 'text', (c) => c.notNull())
    .addColumn('config_digest', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('variant_key', 'text', (c) => c.notNull())
    .addColumn('integrity', 'text', (c) => c.notNull())
    .addColumn('rendered_at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('rendered_pages_pk', [
      'shell_version',
      'app',
      'app_version',
      'config_digest',
      'path',
      'variant_key',
    ])
    .execute();
}

async function createReleaseTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('releases')
    .addColumn('number', 'integer', (c) => c.generatedAlwaysAsIdentity().primaryKey())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('as_candidate', 'boolean', (c) => c.notNull())
    .addColumn('config', 'jsonb', (c) => c.notNull())
    .addColumn('config_digest', 'text', (c) => c.notNull())
    .addColumn('by', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .addColumn('parent', 'integer', (c) => c.references('releases.number'))
    .execute();
  await db.schema.createIndex('releases_by_channel').on('releases').columns(['channel', 'number']).execute();

  await db.schema
    .createTable('release_apps')
    .addColumn('release', 'integer', (c) => c.notNull().references('releases.number'))
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('last_good', 'text')
    .addPrimaryKeyConstraint('release_apps_pk', ['release', 'app'])
    .addForeignKeyConstraint('release_apps_version_fk', ['app', 'version'], 'versions', ['app', 'version'])
    .addForeignKeyConstraint('release_apps_last_good_fk', ['app', 'last_good'], 'versions', [
      'app',
      'version',
    ])
    .execute();
  await db.schema
    .createIndex('release_apps_by_version')
    .on('release_apps')
    .columns(['app', 'version', 'release'])
    .execute();

  await db.schema
    .createTable('revocations')
    .addColumn('release', 'integer', (c) => c.primaryKey().references('releases.number'))
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('by', 'text', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('channels')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('stable', 'integer', (c) => c.references('releases.number'))
    .addColumn('candidate', 'integer', (c) => c.references('releases.number'))
    .addColumn('candidate_basis_points', 'integer')
    .addCheckConstraint('channels_candidate', sql`(candidate is null) = (candidate_basis_points is null)`)
    .addCheckConstraint('channels_share', sql`candidate_basis_points between 0 and 10000`)
    .execute();
  await sql`insert into registry.channels (name) values ('production'), ('staging')`.execute(db);
}

async function createOperationTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tokens')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('scopes', 'jsonb', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('expires_at', 'timestamptz')
    .addColumn('revoked_at', 'timestamptz')
    .execute();

  await db.schema
    .createTable('edges')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('release', 'integer')
    .addColumn('seen_at', 'timestamptz', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('audit_events')
    .addColumn('sequence', 'integer', (c) => c.primaryKey())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .addColumn('by', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('details', 'jsonb', (c) => c.notNull())
    .addColumn('previous_hash', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('audit_head')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('sequence', 'integer', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .execute();
  await sql`insert into registry.audit_head (id, sequence, hash) values (1, 0, repeat('0', 64))`.execute(db);

  await db.schema
    .createTable('idempotency_keys')
    .addColumn('token_id', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('request_digest', 'text', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('response', 'jsonb', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['token_id', 'key'])
    .execute();
}

/** The history is append-only, so even a wrong query cannot rewrite it. */
async function forbidRewriting(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function registry.refuse_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception 'registry.% is append-only: % is refused', tg_table_name, tg_op;
    end $$`.execute(db);
  for (const table of ['releases', 'release_apps', 'revocations', 'audit_events']) {
    await sql`
      create trigger append_only before update or delete or truncate on ${sql.table(`registry.${table}`)}
      for each statement execute function registry.refuse_rewriting()`.execute(db);
  }
}
