import { join } from 'node:path';
import { sql } from 'kysely';
import ts from 'typescript';
import { databases, startDatabase } from '@site/server/testing/each-database';
import { registryMigrations } from './migrations.ts';

/** `table.column` → its type, as `RegistryTables` declares it. */
function declaredColumns(): Record<string, string> {
  const file = join(import.meta.dirname, 'tables.ts');
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const exported = source && checker.getSymbolAtLocation(source)?.exports?.get('RegistryTables' as never);
  if (!exported) throw new Error('tables.ts does not export RegistryTables.');

  const columnType = (column: ts.Symbol): string => {
    const declared = checker.getTypeOfSymbol(column);
    const selected = declared.getProperty('__select__');
    const type = selected ? checker.getTypeOfSymbol(selected) : declared;
    const isNullable = type.isUnion() && type.types.some(({ flags }) => (flags & ts.TypeFlags.Null) !== 0);
    const value = isNullable ? checker.getNonNullableType(type) : type;
    const scalars = {
      string: checker.getStringType(),
      number: checker.getNumberType(),
      boolean: checker.getBooleanType(),
    };
    const scalar = Object.entries(scalars).find(([, other]) => checker.isTypeAssignableTo(value, other));
    const symbol = value.getSymbol()?.name ?? '';
    const name = scalar?.[0] ?? (['Date', 'Buffer'].includes(symbol) ? symbol : 'JSON');
    return isNullable ? `${name} or null` : name;
  };

  return Object.fromEntries(
    checker
      .getDeclaredTypeOfSymbol(exported)
      .getProperties()
      .flatMap((table) =>
        checker
          .getTypeOfSymbol(table)
          .getProperties()
          .map((column) => [`${table.name}.${column.name}`, columnType(column)]),
      ),
  );
}

const typeNames: Record<string, string> = {
  text: 'string',
  integer: 'number',
  bigint: 'number',
  boolean: 'boolean',
  jsonb: 'JSON',
  bytea: 'Buffer',
  'timestamp with time zone': 'Date',
};

test.each(databases)(
  'a fresh database on $name has exactly the columns of RegistryTables',
  async ({ start }) => {
    const { database, stop } = await start();
    try {
      await database.migrate('registry', registryMigrations);
      const { rows } = await sql<{ name: string; type: string; nullable: boolean }>`
      select table_name || '.' || column_name as name, data_type as type, is_nullable = 'YES' as nullable
      from information_schema.columns where table_schema = 'registry' and table_name <> 'migrations'`.execute(
        database.schema('registry'),
      );
      const columns = Object.fromEntries(
        rows.map(({ name, type, nullable }) => [
          name,
          `${typeNames[type] ?? type}${nullable ? ' or null' : ''}`,
        ]),
      );
      expect(columns).toEqual(declaredColumns());
    } finally {
      await stop();
    }
  },
);

test('a database of an unreleased version is rejected with the remedy', async () => {
  const { database, stop } = await startDatabase();
  try {
    await database.migrate('registry', [{ name: '001-registry', up: () => Promise.resolve() }]);
    await expect(database.migrate('registry', registryMigrations)).rejects.toMatchObject({
      code: 'migrations_differ',
      message:
        'The database schema "registry" has run the migration "001-registry", which this program does not expect ' +
        'there. Start the version of the program that ran it, restore a backup, or start with an empty database.',
    });
  } finally {
    await stop();
  }
});
