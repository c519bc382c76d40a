import { sql, type Kysely } from 'kysely';

/** Alert receivers and pending alerts, for guard actions and problems. */
export async function addAlerts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_hooks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('format', 'text', (c) => c.notNull())
    .addColumn('kinds', 'jsonb', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('by', 'text', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .addColumn('dropped', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('problem', 'text')
    .addColumn('next_at', 'timestamptz', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('alerts')
    .addColumn('hook', 'text', (c) => c.notNull().references('alert_hooks.id').onDelete('cascade'))
    .addColumn('sequence', 'integer', (c) => c.generatedAlwaysAsIdentity().notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('alert', 'jsonb', (c) => c.notNull())
    .addColumn('at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('alerts_pk', ['hook', 'sequence'])
    .execute();
  await db.schema
    .createTable('alert_troubles')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('channel', 'text')
    .addColumn('says', 'text', (c) => c.notNull())
    .addColumn('since', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('alert_troubles_pk', ['kind', 'subject'])
    .execute();
  await db.schema
    .createTable('alert_turn')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('until', 'timestamptz', (c) => c.notNull())
    .execute();
}
