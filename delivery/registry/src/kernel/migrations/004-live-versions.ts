import { sql, type Kysely } from 'kysely';

/**
 * Derived data about the past: when versions were live, and which releases changed an app. Computing it from the
 * history would cost more with every release.
 */
export async function addLiveVersions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('live_versions')
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('channel', 'text', (c) => c.notNull().references('channels.name'))
    .addColumn('since', 'integer', (c) => c.notNull().references('releases.number'))
    .addColumn('found_bad', 'boolean', (c) => c.notNull().defaultTo(false))
    .addPrimaryKeyConstraint('live_versions_pk', ['app', 'version', 'channel'])
    .addForeignKeyConstraint('live_versions_version_fk', ['app', 'version'], 'versions', ['app', 'version'])
    .execute();
  await db.schema
    .createIndex('live_versions_by_recency')
    .on('live_versions')
    .columns(['channel', 'app', 'since'])
    .execute();

  await db.schema
    .createTable('app_changes')
    .addColumn('channel', 'text', (c) => c.notNull().references('channels.name'))
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('release', 'integer', (c) => c.notNull().references('releases.number'))
    .addPrimaryKeyConstraint('app_changes_pk', ['channel', 'app', 'release'])
    .execute();
  await db.schema.createIndex('app_changes_by_release').on('app_changes').column('release').execute();

  await addChannel(db, 'release_apps');
  await addChannel(db, 'revocations');
  await db.schema.dropIndex('release_apps_by_version').execute();
  await db.schema
    .createIndex('release_apps_by_version')
    .on('release_apps')
    .columns(['channel', 'app', 'version', 'release'])
    .execute();
  await db.schema
    .createIndex('revocations_by_channel')
    .on('revocations')
    .columns(['channel', 'release'])
    .execute();

  await addIndexes(db);
  await fillFromHistory(db);
  await sql`
    create trigger append_only before update or delete or truncate on registry.app_changes
    for each statement execute function registry.refuse_rewriting()`.execute(db);
}

/** The channel of their release, so that an index serves each channel. */
async function addChannel(db: Kysely<unknown>, name: 'release_apps' | 'revocations'): Promise<void> {
  const table = sql.table(`registry.${name}`);
  await db.schema.alterTable(name).addColumn('channel', 'text').execute();
  await sql`alter table ${table} disable trigger append_only`.execute(db);
  await sql`
    update ${table} as rows set channel = releases.channel
    from registry.releases where releases.number = rows.release`.execute(db);
  await sql`alter table ${table} enable trigger append_only`.execute(db);
  await db.schema
    .alterTable(name)
    .alterColumn('channel', (column) => column.setNotNull())
    .execute();
}

async function addIndexes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index versions_by_recency on registry.versions (app, (collected_at is not null), sequence desc)`.execute(
    db,
  );
  await db.schema
    .createIndex('rendered_pages_by_version')
    .on('rendered_pages')
    .columns(['app', 'app_version'])
    .execute();
  await db.schema
    .createIndex('idempotency_keys_by_age')
    .on('idempotency_keys')
    .column('created_at')
    .execute();
}

/** Fills both tables from the existing releases and audit log. */
export async function fillFromHistory(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into registry.app_changes (channel, app, release)
    select releases.channel, now.app, now.release
    from registry.release_apps as now
    join registry.releases on releases.number = now.release
    left join registry.release_apps as before on before.release = releases.parent and before.app = now.app
    where before.version is distinct from now.version`.execute(db);
  await sql`
    with judged as (
      select subject, max(sequence) as sequence from registry.audit_events
      where action = 'version.quarantined' group by subject
    ), lived as (
      select details->>'channel' as channel, change->>'app' as app, change->>'to' as version,
        max(sequence) as sequence
      from registry.audit_events cross join lateral jsonb_array_elements(details->'changes') as change
      where action like 'release.%' group by 1, 2, 3
    ), stood as (
      select releases.channel, app, version, max(release) as since
      from registry.release_apps join registry.releases on releases.number = release_apps.release
      where not as_candidate group by releases.channel, app, version
    )
    insert into registry.live_versions (app, version, channel, since, found_bad)
    select stood.app, stood.version, stood.channel, since,
      coalesce(judged.sequence > coalesce(lived.sequence, 0), false)
    from stood
    left join judged on judged.subject = stood.app || '@' || stood.version
    left join lived on lived.channel = stood.channel and lived.app = stood.app and lived.version = stood.version
  `.execute(db);
}
