import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { jsonText } from '@site/contract';
import {
  emptyTables,
  insertDumped,
  listMigrations,
  tablesInOrder,
  type DumpTable,
} from '../kernel/table-dump.ts';
import type { RegistryTransaction } from '../kernel/tables.ts';
import { allTokens, keepTokens } from '../access/index.ts';
import {
  BackupHeaderSchema,
  DumpedRowSchema,
  ROWS_ENTRY,
  type BackupHeader,
  explain,
  invalid,
} from './archive.ts';

const PORTION_CHARACTERS = 1_000_000;

/** Replaces the contents of all tables with the rows of an unpacked backup, except for the registry's own tokens. */
export async function insertRows(transaction: RegistryTransaction, path: string): Promise<BackupHeader> {
  const input = createReadStream(path);
  try {
    const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
    return await insertLines(transaction, lines);
  } finally {
    // An iterator that is not read to the end leaves the file open.
    await new Promise((resolve) => input.close(resolve));
  }
}

async function insertLines(
  transaction: RegistryTransaction,
  lines: AsyncIterator<string, unknown>,
): Promise<BackupHeader> {
  const first = await lines.next();
  const header = parseLine(BackupHeaderSchema, first.done ? '' : first.value, 1);
  requireSchema(header.migrations, await listMigrations(transaction));
  const tables = await tablesInOrder(transaction);
  const own = await allTokens(transaction);
  await emptyTables(transaction, tables);

  const insert = createInserter(transaction, tables);
  let rows = 0;
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    rows += 1;
    const { table, row } = parseLine(DumpedRowSchema, next.value, rows + 1);
    await insert.add(table, JSON.stringify(row));
  }
  await insert.end();
  if (rows !== header.rows) throw invalid(`It has ${rows} rows instead of ${header.rows}.`);
  await keepTokens(transaction, own);
  return header;
}

function requireSchema(theirs: readonly string[], ours: readonly string[]): void {
  const difference = [
    ...theirs.filter((name) => !ours.includes(name)).map((name) => `"${name}" is only in the backup`),
    ...ours.filter((name) => !theirs.includes(name)).map((name) => `"${name}" is only in this registry`),
  ];
  if (difference.length === 0) return;
  throw invalid(
    `It has another database schema (${difference.join(', ').slice(0, 500)}): ` +
      'restore with the version of the program that made it.',
  );
}

function createInserter(transaction: RegistryTransaction, tables: readonly DumpTable[]) {
  let current: DumpTable | undefined;
  let portion: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (!current || portion.length === 0) return;
    await insertDumped(transaction, current, portion).catch((error: unknown) => {
      throw explain(error);
    });
    portion = [];
    characters = 0;
  };
  return {
    async add(name: string, row: string) {
      if (name !== current?.name) {
        await flush();
        current = tables.find((table) => table.name === name);
        if (!current) throw invalid(`It has rows of a table "${name.slice(0, 100)}", which no registry has.`);
      }
      portion.push(row);
      characters += row.length;
      if (characters > PORTION_CHARACTERS) await flush();
    },
    end: flush,
  };
}

function parseLine<Schema extends v.GenericSchema>(
  schema: Schema,
  line: string,
  number: number,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(jsonText(schema), line);
  if (parsed.success) return parsed.output;
  throw invalid(`Line ${number} of "${ROWS_ENTRY}" is not what a backup holds there.`);
}
