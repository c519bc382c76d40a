import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Extract } from 'tar-stream';
import * as v from 'valibot';
import { IntegrityMismatchError } from '@site/artifacts/artifact-store';
import { integrityFromHex } from '@site/contract/blob-hex';
import { integrityOf } from '@site/contract/integrity-of';
import { ChannelNameSchema, type RestoreAnswer } from '@site/contract';
import { LARGEST_BLOB_BYTES } from '@site/contract/registry-calls/blob.calls';
import { ApiError } from '@site/server/api-error';
import type { LogHead } from '../audit/anchor.ts';
import { appendAudit, lockAuditLog } from '../database/audit.repository.ts';
import { checkAuditLog } from '../database/check-audit-log.ts';
import { channelNames } from '../database/collection.repository.ts';
import { allowIdling } from '../database/in-transaction.ts';
import { channelChanged } from '../database/notices.ts';
import { skipReleases } from '../database/release.repository.ts';
import {
  continueNumbering,
  emptyTables,
  firstFilledTable,
  insertDumped,
  migrationsOf,
  tablesInOrder,
  type DumpTable,
} from '../database/table-dump.ts';
import type { RegistryDb, RegistryTransaction } from '../database/tables.ts';
import { registryErrors } from '../errors.ts';
import { allTokens, keepTokens } from '../database/token.repository.ts';
import type { Writing } from '../database/writing.ts';
import type { Command } from '../use-cases/command.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { runChange, type Outcome } from '../use-cases/run-change.ts';
import { namedBlobs } from '../use-cases/verify-store.ts';
import { BackupHeaderSchema, BLOB_ENTRY, DumpedRowSchema, ROWS_ENTRY, SERVED_MODE } from './archive.ts';

type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;

/** Rows go in together, but not more text at once than this. */
const PORTION_CHARACTERS = 1_000_000;

/**
 * Puts a backup into a registry that nothing was ever published to. Blobs come first and are harmless by themselves; all
 * rows go in with one transaction, at the end of which everything must fit together. So it is restored, or nothing is.
 *
 * @throws ApiError `registry_not_empty`, `backup_invalid`.
 */
export async function restoreBackup(command: Command, archive: Readable): Promise<RestoreAnswer> {
  const { context, dryRun } = command;
  const folder = await mkdtemp(join(tmpdir(), 'registry-restore-'));
  try {
    const path = join(folder, 'rows');
    const { body } = await runChange(command, {
      locks: { channels: ChannelNameSchema.options, tables: true },
      check: requireEmpty,
      prepare: () => unpack(context, archive, path, dryRun),
      async write(writing, _, blobs): Promise<Outcome<RestoreAnswer>> {
        const { transaction } = writing;
        const { takenAt, rows, lacking } = await restoreRows(writing, path, blobs, dryRun);
        const restored = await requireAuditLog(transaction);
        await appendAudit(writing, {
          action: 'registry.restored',
          subject: 'registry',
          details: { takenAt, rows, blobs: blobs.size },
        });
        if (!dryRun) await anchorRestored(context, transaction, restored);
        return {
          body: { takenAt, rows, lacking, blobs: blobs.size },
          notices: (await channelNames(transaction)).map(channelChanged),
        };
      },
    });
    return body;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws ApiError `registry_not_empty`. */
async function requireEmpty(db: RegistryDb): Promise<void> {
  const table = await firstFilledTable(db);
  if (table !== null) throw registryErrors.registry_not_empty(`It has ${table.replace('_', ' ')}.`);
}

/** All rows of the backup, whose blobs are there. */
async function restoreRows(
  { transaction, at }: Writing,
  path: string,
  blobs: ReadonlySet<string>,
  dryRun: boolean,
): Promise<v.InferOutput<typeof BackupHeaderSchema>> {
  const header = await insertRows(transaction, path);
  // What a sequence has given out is not rolled back with the transaction.
  if (!dryRun) {
    for (const table of await tablesInOrder(transaction)) await continueNumbering(transaction, table);
  }
  if (!(await skipReleases(transaction, releaseGap(at, header.takenAt)))) {
    throw invalid('It does not say which number its newest release has.');
  }
  await requireBlobs(transaction, blobs, header.lacking);
  return header;
}

/** Stores the blobs and leaves the rows in a file. @returns the blobs that the archive holds. */
async function unpack(
  { store }: RegistryContext,
  archive: Readable,
  path: string,
  dryRun: boolean,
): Promise<Set<string>> {
  const blobs = new Set<string>();
  const seen = { rows: false };
  const take = async (entry: Entry) => {
    const { name, type, size, mode } = entry.header;
    if (seen.rows) throw invalid(`"${ROWS_ENTRY}" is not its last entry.`);
    const hex = BLOB_ENTRY.exec(name)?.[1];
    if (type !== 'file' || (name !== ROWS_ENTRY && hex === undefined)) {
      throw invalid(`It has an entry "${name.slice(0, 200)}", which no backup has.`);
    }
    if (hex === undefined) {
      seen.rows = true;
      return pipeline(entry as AsyncIterable<Buffer>, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    }
    if (size > LARGEST_BLOB_BYTES)
      throw invalid(`"${name}" has ${size} bytes, more than any file of a version.`);
    const integrity = integrityFromHex(hex);
    const bytes = await bytesOf(entry);
    if (dryRun) requireHash(integrity, bytes);
    else {
      await store.put(integrity, bytes);
      if (mode === SERVED_MODE) await store.compress(integrity);
    }
    blobs.add(integrity);
  };

  const entries = extract();
  const reading = (async () => {
    for await (const entry of entries) await take(entry);
  })();
  try {
    // The first of both that fails ends the other; its error is the one that tells why.
    await Promise.all([reading, pipeline(archive, entries as unknown as Writable)]);
  } catch (error) {
    await reading.catch((first: unknown) => {
      throw explain(first);
    });
    throw explain(error);
  }
  if (!seen.rows) throw invalid(`It has no "${ROWS_ENTRY}" at its end: it was truncated.`);
  return blobs;
}

async function bytesOf(entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function requireHash(integrity: string, bytes: Buffer): void {
  const actual = integrityOf(bytes);
  if (actual !== integrity) throw new IntegrityMismatchError(integrity, actual);
}

async function insertRows(
  transaction: RegistryTransaction,
  path: string,
): Promise<v.InferOutput<typeof BackupHeaderSchema>> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })[
    Symbol.asyncIterator
  ]();
  const first = await lines.next();
  const header = parseLine(BackupHeaderSchema, first.done ? '' : first.value, 1);
  const migrations = await migrationsOf(transaction);
  if (header.migrations.join() !== migrations.join()) {
    throw invalid(
      `It is of a registry with the schema ${header.migrations.at(-1) ?? 'none'}, this one has ${migrations.at(-1) ?? 'none'}: ` +
        'restore with the version of the program that made it.',
    );
  }
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

/**
 * Releases that were made after the backup are lost here, but edges may hold them still: a number that came to stand for
 * something else would never be loaded. Nobody makes a release each second, so a second restore of the same backup goes
 * beyond the first one, too.
 */
function releaseGap(now: Date, takenAt: string): number {
  const seconds = Math.ceil((now.getTime() - Date.parse(takenAt)) / 1000);
  return 100_000 + Math.max(0, seconds);
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

async function requireBlobs(
  transaction: RegistryTransaction,
  blobs: ReadonlySet<string>,
  lacking: readonly string[],
): Promise<void> {
  const known = new Set(lacking);
  for (const [integrity, { usedBy }] of await namedBlobs({ db: transaction })) {
    if (!blobs.has(integrity) && !known.has(integrity)) {
      throw invalid(`It lacks the blob ${integrity} (${usedBy[0] ?? ''}).`);
    }
  }
}

async function requireAuditLog(transaction: RegistryTransaction): Promise<LogHead> {
  const { problem, entries: sequence, hash } = await checkAuditLog(transaction);
  if (problem !== null) throw invalid(`Its audit log was changed: ${problem}`);
  return { sequence, hash };
}

/** Before the commit: a log that jumped back without a word would be taken for one that was cut. */
async function anchorRestored(
  { anchors }: RegistryContext,
  transaction: RegistryTransaction,
  restored: LogHead,
): Promise<void> {
  // A store may take longer than a transaction may idle.
  await allowIdling(transaction);
  await anchors.beginAgain(restored, await lockAuditLog(transaction));
}

function parseLine<Schema extends v.GenericSchema>(
  schema: Schema,
  line: string,
  number: number,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), line);
  if (parsed.success) return parsed.output;
  throw invalid(`Line ${number} of "${ROWS_ENTRY}" is not what a backup holds there.`);
}

function invalid(problem: string, cause?: unknown): ApiError {
  return registryErrors.backup_invalid(problem, cause === undefined ? {} : { cause });
}

/** What the archive is to blame for; everything else stays what it is. */
function explain(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof IntegrityMismatchError) return invalid('A file in it was changed.', error);
  const { code, message } = error as { code?: unknown; message?: string };
  // SQLSTATE class 22: a value that the column cannot hold; 23: rows that contradict each other.
  if (typeof code === 'string' && /^2[23]...$/.test(code))
    return invalid('Its rows do not fit together.', error);
  if (/^(Unexpected end of data|Invalid tar header|Invalid header|Header exceeds)/.test(message ?? '')) {
    return invalid('It is not a tar archive, or it was truncated or changed.', error);
  }
  return error;
}
