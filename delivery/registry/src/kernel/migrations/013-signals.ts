import { sql, type Kysely } from 'kysely';

/** Browser reports, the resulting verdicts, and the guard's actions. */
export async function addSignals(db: Kysely<unknown>): Promise<void> {
  await createSignalTables(db);
  await createGuardTables(db);
}

async function createSignalTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('signal_key')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('key', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('signal_sources')
    .addColumn('edge', 'text', (c) => c.notNull())
    .addColumn('boot', 'text', (c) => c.notNull())
    .addColumn('last_sequence', 'integer', (c) => c.notNull())
    .addColumn('heard_at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('signal_sources_pk', ['edge', 'boot'])
    .execute();
  for (const name of ['signal_minutes', 'signal_hours']) {
    await db.schema
      .createTable(name)
      .addColumn('channel', 'text', (c) => c.notNull())
      .addColumn('app', 'text', (c) => c.notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('route', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('at', 'timestamptz', (c) => c.notNull())
      .addColumn('sums', 'jsonb', (c) => c.notNull())
      .addPrimaryKeyConstraint(`${name}_pk`, ['channel', 'app', 'version', 'route', 'role', 'at'])
      .execute();
    await db.schema.createIndex(`${name}_by_age`).on(name).columns(['at']).execute();
  }
  await db.schema
    .createTable('fault_groups')
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('fault', 'jsonb', (c) => c.notNull())
    .addColumn('routes', 'jsonb', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('first_at', 'timestamptz', (c) => c.notNull())
    .addColumn('last_at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('fault_groups_pk', ['channel', 'app', 'version', 'fingerprint'])
    .execute();
  await db.schema.createIndex('fault_groups_by_age').on('fault_groups').columns(['last_at']).execute();
}

async function createGuardTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('judgements')
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('subject', 'integer', (c) => c.notNull().references('releases.number'))
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('control', 'text')
    .addColumn('state', 'jsonb', (c) => c.notNull())
    .addColumn('verdict', 'jsonb', (c) => c.notNull())
    .addColumn('since', 'timestamptz', (c) => c.notNull())
    .addColumn('ended_at', 'timestamptz')
    .addPrimaryKeyConstraint('judgements_pk', ['channel', 'subject', 'app'])
    .execute();
  await sql`create index judgements_open on registry.judgements (channel) where ended_at is null`.execute(db);
  await db.schema
    .createTable('guard_policies')
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('mode', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('by', 'text', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('guard_policies_pk', ['channel', 'app'])
    .execute();
  await db.schema
    .createTable('guard_actions')
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('subject', 'integer', (c) => c.notNull())
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('did', 'text', (c) => c.notNull())
    .addColumn('why', 'text', (c) => c.notNull())
    .addColumn('evidence', 'text', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    // Makes each action unique across crashes and concurrent guards.
    .addPrimaryKeyConstraint('guard_actions_pk', ['channel', 'subject', 'app', 'did'])
    .execute();
  await db.schema
    .createTable('version_standings')
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('views', 'integer', (c) => c.notNull())
    .addColumn('evidence', 'text', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('version_standings_pk', ['channel', 'app', 'version'])
    .execute();
  await db.schema
    .createTable('canary_stages')
    .addColumn('channel', 'text', (c) => c.primaryKey())
    .addColumn('canary', 'integer', (c) => c.notNull())
    .addColumn('shares', 'jsonb', (c) => c.notNull())
    .addColumn('every_ms', 'integer', (c) => c.notNull())
    .addColumn('basis_points', 'integer', (c) => c.notNull())
    .addColumn('since', 'timestamptz', (c) => c.notNull())
    .addColumn('views', 'integer', (c) => c.notNull())
    .addColumn('visitors', 'text', (c) => c.notNull())
    .addColumn('says', 'text', (c) => c.notNull())
    .execute();
}
