import { sql } from 'kysely';
import type { Database } from '../open-database.ts';

/**
 * Remembers all rows of a schema, and where its sequences stand.
 *
 * @returns puts them back, with one statement: one transaction, and one way to the server. The tables must be as they were. It is given
 * another connection to the same database where the first one was closed.
 */
export async function keepRows(
  database: Database,
  schema: string,
): Promise<(again?: Database) => Promise<void>> {
  const db = database.schema<never>('public');
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = ${schema}
  `.execute(db);
  const steps: string[] = [];
  for (const { name } of tables) {
    // Columns that are computed from others take no value.
    const { rows } = await sql<{ rows: string | null; columns: string }>`
      select quote_literal(json_agg(t)) as rows, (
        select string_agg(format('%I', attname), ', ') from pg_attribute
        where attrelid = ${name}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      ) as columns from ${sql.raw(name)} t`.execute(db);
    const [{ rows: kept, columns } = { rows: null, columns: '' }] = rows;
    if (kept) {
      steps.push(
        `insert into ${name} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${name}, ${kept});`,
      );
    }
  }
  const { rows: sequences } = await sql<{ name: string; next: number; used: boolean }>`
    select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, start_value) as next,
      last_value is not null as used
    from pg_sequences where schemaname = ${schema}
  `.execute(db);
  const resets = sequences.map(({ name, next, used }) => `setval('${name}', ${next}, ${used})`);
  if (resets.length > 0) steps.push(`perform ${resets.join(', ')};`);
  // Neither triggers that refuse rewriting nor the order that foreign keys ask for stand in the way of a replica. Most tables were never
  // written to: to plan that they are emptied takes longer than to find them empty.
  const putBack = `do $restore$ declare written text; begin
    set local session_replication_role = replica;
    for written in select oid::regclass from pg_class
      where relnamespace = '${schema}'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
    loop
      execute 'delete from ' || written;
    end loop;
    ${steps.join('\n    ')}
  end $restore$`;
  return async (again = database) => {
    await sql.raw(putBack).execute(again.schema<never>('public'));
  };
}
