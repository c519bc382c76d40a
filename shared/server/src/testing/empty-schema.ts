import { sql, type Kysely } from 'kysely';
import type { Database, Migration } from '../open-database.ts';
import { keepRows } from './keep-rows.ts';

/** The state of a schema after its migrations, and how to restore it. */
interface Beginning {
  shape: string;
  putBack: (database: Database) => Promise<void>;
}

const beginnings = new WeakMap<Database, Map<string, Beginning>>();

/**
 * Restores a schema to its migrated state for the next test on the same database. Restoring rows takes a
 * tenth of the time of migrating again; a schema whose tables or triggers changed is migrated again.
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
  if (beginning?.shape === (await schemaShape(db, schema))) {
    await beginning.putBack(database);
    return;
  }
  await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(db);
  await database.migrate(schema, migrations);
  known.set(schema, { shape: await schemaShape(db, schema), putBack: await keepRows(database, schema) });
}

/** Transfers the known schemas of a closed database to a new connection. */
export function transferSchemas(closed: Database, opened: Database): void {
  const known = beginnings.get(closed);
  if (known) beginnings.set(opened, known);
}

/**
 * Prepares a database for the next test file: without test data, and physically ordered by insertion, which
 * deleted rows would otherwise break.
 */
export async function clearSchemas(database: Database): Promise<void> {
  const db = database.schema<never>('public');
  const known = beginnings.get(database) ?? new Map<string, Beginning>();
  for (const [schema, { shape, putBack }] of known) {
    if (shape !== (await schemaShape(db, schema))) {
      // A test changed its tables: migrate again next time.
      known.delete(schema);
      continue;
    }
    await putBack(database);
    const { rows } = await sql<{ names: string }>`
      select string_agg(format('%I.%I', schemaname, tablename), ', ') as names from pg_tables where schemaname = ${schema}
    `.execute(db);
    await sql`vacuum ${sql.raw(rows[0]?.names ?? '')}`.execute(db);
  }
}

/** PostgreSQL's own objects have smaller ids (`FirstNormalObjectId`). */
const FIRST_OID = sql.lit(16_384);

/**
 * Changes with every table, column, constraint, trigger or function: PostgreSQL writes catalog rows in a
 * later transaction for new or changed objects, and removes rows for dropped ones. Uses indexes, because
 * scanning the catalogs takes longer than restoring the rows.
 */
async function schemaShape(db: Kysely<never>, schema: string): Promise<string> {
  const { rows } = await sql<{ shape: string | null }>`
    with relations as (
      select oid, xmin, relkind from pg_class where oid >= ${FIRST_OID} and relnamespace = to_regnamespace(${schema})::oid
    ), tables as (
      select oid from relations where relkind = 'r'
    ), parts as (
      select xmin from relations
      union all select xmin from pg_attribute where attrelid in (select oid from tables) and attnum > 0 and not attisdropped
      union all select xmin from pg_trigger where tgrelid in (select oid from tables)
      union all select xmin from pg_constraint where conrelid in (select oid from tables)
      union all select xmin from pg_proc where oid >= ${FIRST_OID} and pronamespace = to_regnamespace(${schema})::oid
    )
    select count(*) || ' ' || max(xmin::text::bigint) as shape from parts
  `.execute(db);
  return rows[0]?.shape ?? '';
}
