import { sql, type Kysely } from 'kysely';
import { advisoryLocks } from './advisory-locks.ts';
import { checkedName, DatabaseError, type Migration } from './database.ts';
import { allowLongStatements } from './postgres-client.ts';

interface MigrationTables {
  migrations: { name: string; applied_at: Date };
}

/** See `Database.migrate`. */
export async function migrateSchema(
  root: Kysely<unknown>,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  checkedName('schema', schema);
  const names = migrations.map((migration) => migration.name);
  if (names.some((name, index) => index > 0 && name <= (names[index - 1] as string))) {
    throw new TypeError(
      `The migrations of "${schema}" are not in the order of their names: ${names.join(', ')}.`,
    );
  }
  await root.transaction().execute(async (transaction) => {
    // Another instance may hold the lock as long as its steps take.
    await allowLongStatements(transaction);
    await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLocks.migrations)}, hashtext(${schema}))`.execute(
      transaction,
    );
    await transaction.schema
      .createSchema(schema)
      .ifNotExists()
      .execute()
      .catch((cause: unknown) => {
        throw (cause as { code?: unknown }).code === '42501' ? notAllowed(schema, cause) : cause;
      });
    const db = transaction.withSchema(schema) as unknown as Kysely<MigrationTables>;
    await db.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('applied_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute();
    const rows = await db.selectFrom('migrations').select('name').orderBy('name').execute();
    // The server's collation may differ from the order of code units.
    const applied = rows.map((row) => row.name).sort();
    const foreign = applied.find((name, index) => index < names.length && name !== names[index]);
    if (foreign !== undefined) {
      throw new DatabaseError(
        'migrations_differ',
        `The database schema "${schema}" has run the migration "${foreign}", which this program does not expect ` +
          'there. Start the version of the program that ran it, restore a backup, or start with an empty database.',
      );
    }
    for (const migration of migrations.slice(applied.length)) {
      await migration.up(transaction.withSchema(schema));
      await db.insertInto('migrations').values({ name: migration.name, applied_at: new Date() }).execute();
    }
  });
}

function notAllowed(schema: string, cause: unknown): DatabaseError {
  return new DatabaseError(
    'permission_missing',
    `The database user may not create the schema "${schema}". Run "grant create on database ` +
      '<name> to <user>", or let the owner of the database migrate.',
    { cause },
  );
}
