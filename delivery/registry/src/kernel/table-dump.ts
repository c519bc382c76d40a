import { sql } from 'kysely';
import { inPortions } from './lists.ts';
import type { RegistryDb, RegistryTransaction } from './tables.ts';

export interface DumpTable {
  name: string;
  /** Except generated columns. */
  columns: string[];
  identity: string[];
  key: string[];
  references: string[];
}

/** Process-local leases: they end when another registry starts. */
const NOT_KEPT = new Set([
  'migrations',
  'edges',
  'changes_under_way',
  'wanted_blobs',
  'doomed_blobs',
  'damaged_blobs',
  // Recomputed by a trigger.
  'app_usage',
  'audit_anchored',
  // Edges report to the new registry, with a new key.
  'signal_key',
  'signal_sources',
  'signal_minutes',
  'signal_hours',
  'signal_pulses',
  'fault_groups',
  'judgements',
  // Backups contain no addresses and secrets of receivers, and a test restore must not send alerts.
  'alert_hooks',
  'alerts',
  'alert_troubles',
  'alert_lease',
  'inbox_alerts',
  // From the environment of the new registry.
  'caches',
  'purges',
  // Users sign in to the new registry again.
  'console_sessions',
  'console_links',
]);
/** Rows sampled to determine the batch size. */
const LOOKS_AHEAD = 500;

/** Ordered by foreign keys. Read from the database, so that none is forgotten. */
export async function tablesInOrder(db: RegistryDb): Promise<DumpTable[]> {
  const { rows } = await sql<DumpTable>`
    select class.relname::text as name,
      (select jsonb_agg(attname order by attnum) from pg_attribute
        where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      (select coalesce(jsonb_agg(attname), '[]') from pg_attribute
        where attrelid = class.oid and attidentity <> '' and not attisdropped) as identity,
      (select coalesce(jsonb_agg(attname order by place), '[]')
        from pg_constraint
          cross join lateral unnest(conkey) with ordinality as keys(attribute, place)
          join pg_attribute on attrelid = class.oid and attnum = attribute
        where conrelid = class.oid and contype = 'p') as key,
      (select coalesce(jsonb_agg(distinct other.relname), '[]')
        from pg_constraint join pg_class other on other.oid = confrelid
        where conrelid = class.oid and contype = 'f' and confrelid <> class.oid) as "references"
    from pg_class class join pg_namespace on pg_namespace.oid = class.relnamespace
    where nspname = 'registry' and class.relkind = 'r'
    order by class.relname`.execute(db);
  return inOrder(rows.filter(({ name }) => !NOT_KEPT.has(name)));
}

function inOrder(tables: readonly DumpTable[]): DumpTable[] {
  const ordered: DumpTable[] = [];
  const left = [...tables];
  while (left.length > 0) {
    const done = new Set(ordered.map(({ name }) => name));
    const next = left.findIndex(({ references }) => references.every((name) => done.has(name)));
    if (next < 0)
      throw new Error(`Tables refer to each other in a circle: ${left.map((t) => t.name).join(', ')}.`);
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}

/** The rows of a table as JSON objects, in key order: a row follows the rows of the same table that it references. */
export async function* dumpTable(
  transaction: RegistryTransaction,
  { name, key }: DumpTable,
): AsyncGenerator<string> {
  const order = key.length > 0 ? sql.join(key.map((column) => sql.ref(column))) : sql`1`;
  const open = (cursor: string, column: ReturnType<typeof sql>) =>
    sql`
      declare ${sql.id(cursor)} no scroll cursor for
      select ${column} from registry.${sql.id(name)} t order by ${order}`.execute(transaction);
  const next = async <Row>(cursor: string, count: number) =>
    (await sql<Row>`fetch ${sql.lit(count)} from ${sql.id(cursor)}`.execute(transaction)).rows;
  // The two queries return the same rows in the same order. The first one determines the second one's batch size.
  await open('sizes', sql`octet_length(to_jsonb(t)::text) as bytes`);
  await open('dump', sql`to_jsonb(t)::text as row`);
  for (;;) {
    const sizes = await next<{ bytes: number }>('sizes', LOOKS_AHEAD);
    if (sizes.length === 0) break;
    for (const portion of inPortions(sizes, ({ bytes }) => bytes)) {
      for (const { row } of await next<{ row: string }>('dump', portion.length)) yield row;
    }
  }
  for (const cursor of ['sizes', 'dump']) await sql`close ${sql.id(cursor)}`.execute(transaction);
}

export async function insertDumped(
  transaction: RegistryTransaction,
  { name, columns }: DumpTable,
  rows: readonly string[],
): Promise<void> {
  const list = sql.join(columns.map((column) => sql.id(column)));
  const table = sql`registry.${sql.id(name)}`;
  await sql`
    insert into ${table} (${list}) overriding system value
    select ${list} from jsonb_populate_recordset(null::${table}, ${`[${rows.join(',')}]`}::jsonb)`.execute(
    transaction,
  );
}

/** Advances identity sequences past the inserted rows. */
export async function continueNumbering(
  transaction: RegistryTransaction,
  { name, identity }: DumpTable,
): Promise<void> {
  for (const column of identity) {
    await sql`
      select setval(
        pg_get_serial_sequence(${`registry.${name}`}, ${column}),
        greatest(coalesce(max(${sql.id(column)}), 0), 1),
        count(*) > 0
      ) from registry.${sql.id(name)}`.execute(transaction);
  }
}

export async function listMigrations(db: RegistryDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from registry.migrations`.execute(db);
  return rows.map(({ name }) => name).sort();
}

export async function emptyTables(
  transaction: RegistryTransaction,
  tables: readonly DumpTable[],
): Promise<void> {
  for (const { name } of [...tables].reverse()) {
    const found = await sql`select 1 from registry.${sql.id(name)} limit 1`.execute(transaction);
    if (found.rows.length > 0) await sql`delete from registry.${sql.id(name)}`.execute(transaction);
  }
}

export async function firstFilledTable(db: RegistryDb): Promise<string | null> {
  for (const table of ['releases', 'versions', 'audit_events'] as const) {
    const row = await db
      .selectFrom(table)
      .select(sql<number>`1`.as('found'))
      .limit(1)
      .executeTakeFirst();
    if (row) return table;
  }
  return null;
}
