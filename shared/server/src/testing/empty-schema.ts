import { sql, type Kysely } from 'kysely';
import type { Database, Migration } from '../open-database.ts';

/** How a schema stood after its migrations, and the statement that makes it stand so again. */
interface Beginning {
  shape: string;
  restore: string;
}

const beginnings = new WeakMap<Database, Map<string, Beginning>>();

/**
 * Leaves a schema as its migrations make it, for the next test over the same database. Rows are put back rather than
 * migrations run again, which takes a tenth of the time; a schema whose tables or triggers a test changed is made anew.
 */
export async function emptySchema(
  database: Database,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  const db = database.schema<never>('public');
  const known = beginnings.get(database) ?? new Map<string, Beginning>();
  beginnings.set(database, known);
  const beginning = known.get(schema);
  if (beginning?.shape === (await shapeOf(db, schema))) {
    await sql.raw(beginning.restore).execute(db);
    return;
  }
  await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(db);
  await database.migrate(schema, migrations);
  known.set(schema, { shape: await shapeOf(db, schema), restore: await restoring(db, schema) });
}

/** Another text after each change of a table, column, constraint, trigger or function: PostgreSQL writes their rows anew. */
async function shapeOf(db: Kysely<never>, schema: string): Promise<string> {
  const { rows } = await sql<{ shape: string | null }>`
    with tables as (
      select oid, xmin from pg_class where relnamespace = to_regnamespace(${schema})::oid
    ), parts as (
      select oid, xmin from tables
      union all select attrelid, xmin from pg_attribute where attrelid in (select oid from tables)
      union all select oid, xmin from pg_trigger where tgrelid in (select oid from tables)
      union all select oid, xmin from pg_constraint where conrelid in (select oid from tables)
      union all select oid, xmin from pg_proc where pronamespace = to_regnamespace(${schema})::oid
    )
    select md5(string_agg(oid || '/' || xmin, ' ' order by oid::text, xmin::text)) as shape from parts
  `.execute(db);
  return rows[0]?.shape ?? '';
}

/** One statement, so that it is one transaction and one way to the server. */
async function restoring(db: Kysely<never>, schema: string): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = ${schema}
  `.execute(db);
  const steps = tables.map(({ name }) => `delete from ${name};`);
  for (const { name } of tables) {
    const { rows } = await sql<{ rows: string | null }>`
      select quote_literal(json_agg(t)) as rows from ${sql.raw(name)} t`.execute(db);
    const kept = rows[0]?.rows;
    if (kept) {
      steps.push(
        `insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, ${kept});`,
      );
    }
  }
  const { rows: sequences } = await sql<{ name: string; next: number; used: boolean }>`
    select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, start_value) as next,
      last_value is not null as used
    from pg_sequences where schemaname = ${schema}
  `.execute(db);
  for (const { name, next, used } of sequences) steps.push(`perform setval('${name}', ${next}, ${used});`);
  // Neither triggers that refuse rewriting nor the order that foreign keys ask for stand in the way of a replica.
  return `do $restore$ begin
    set local session_replication_role = replica;
    ${steps.join('\n    ')}
  end $restore$`;
}
