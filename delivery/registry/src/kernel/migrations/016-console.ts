import { sql, type Kysely } from 'kysely';

/** Console sessions, links into the console, and the data of its views. */
export async function addConsole(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('console_sessions')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('token_id', 'text', (c) => c.notNull().references('tokens.id').onDelete('cascade'))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('expires_at', 'timestamptz', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('console_sessions_by_token')
    .on('console_sessions')
    .columns(['token_id', 'created_at'])
    .execute();
  await db.schema
    .createTable('console_links')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('token_id', 'text', (c) => c.notNull().references('tokens.id').onDelete('cascade'))
    .addColumn('expires_at', 'timestamptz', (c) => c.notNull())
    .addColumn('session_ends_at', 'timestamptz', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('signal_pulses')
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('app', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('route', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .addColumn('sums', 'jsonb', (c) => c.notNull())
    .addPrimaryKeyConstraint('signal_pulses_pk', ['channel', 'app', 'version', 'route', 'role', 'at'])
    .execute();
  await db.schema.createIndex('signal_pulses_by_age').on('signal_pulses').columns(['at']).execute();
  // A partial index: few of the many rows contain forms.
  const told = sql`((sums ->> 'formsSent')::integer + (sums ->> 'formsFailed')::integer) > 0`;
  await sql`
    create index signal_hours_of_forms on registry.signal_hours (channel, at) where ${told}`.execute(db);
  await sql`
    create index signal_minutes_of_forms on registry.signal_minutes (channel, app, version, route, role, at)
    where ${told}`.execute(db);
  await sql`create index versions_by_commit on registry.versions ((manifest ->> 'commit') text_pattern_ops)`.execute(
    db,
  );
}
