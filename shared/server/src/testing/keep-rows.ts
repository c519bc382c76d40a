import { sql } from 'kysely';
import type { Database } from '../open-database.ts';

/**
 * Saves all rows and sequences of a schema.
 * @returns restores them with one statement: one transaction and one round trip. The tables must be
 * unchanged. Takes another connection to the same database if the first one was closed.
 */
export async function keepRows(
  database: Database,
  schema: string,
): Promise<(again?: Database) => Promise<void>> {
  const db = database.schema<never>('public');
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = ${schema}
  `.execute(db);
  const steps = tables.map(({ name }) => `delete from ${name};`);
  for (const { name } of tables) {
    // Generated columns accept no values.
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
  for (const { name, next, used } of sequences) steps.push(`perform setval('${name}', ${next}, ${used});`);
  // On a replica neither triggers nor foreign keys are checked.
  const putBack = `do $restore$ begin
    set local session_replication_role = replica;
    ${steps.join('\n    ')}
  end $restore$`;
  return async (again = database) => {
    await sql.raw(putBack).execute(again.schema<never>('public'));
  };
}
