import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack, type Header, type Pack } from 'tar-stream';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import { baseErrors } from '@site/server/base-errors';
import { isDiskFull } from '@site/server/error-document';
import { atOneMoment } from '../kernel/in-transaction.ts';
import { dumpTable, listMigrations, tablesInOrder } from '../kernel/table-dump.ts';
import { duringChange } from '../kernel/blob-protection.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { namedBlobs } from './verify-store.ts';
import { blobEntry, ROWS_ENTRY, SERVED_MODE, UNSERVED_MODE, type BackupHeader } from './archive.ts';

/** Timeout for a stalled client. A running backup blocks garbage collection. */
const PATIENCE_MS = 60_000;

type BackupContext = Pick<RegistryContext, 'db' | 'now'> & { store: Pick<RegistryContext['store'], 'get'> };

/**
 * The tables are read into a file in one transaction, so that they are consistent and no transaction stays open during
 * a slow download. Blobs are streamed one at a time.
 * @param onProblem receives the cause of an aborted backup; the client only sees that it was aborted.
 */
export async function takeBackup(
  context: BackupContext,
  onProblem: (error: unknown) => void,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<Readable> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-backup-')).catch(ofTemporaryFolder);
  const archive = pack();
  // Errors reach the caller or the stream's client. Without a listener, an error before the first byte would end the
  // process.
  archive.on('error', () => undefined);
  const write = async (onSnapshot: () => void) => {
    const rows = join(folder, 'rows');
    const snapshot = await dumpRows(context, rows);
    onSnapshot();
    const lacking = await packBlobs(context, archive, snapshot.blobs);
    await packRows(archive, rows, {
      backup: 1,
      takenAt: snapshot.takenAt.toISOString(),
      migrations: snapshot.migrations,
      rows: snapshot.rows,
      blobs: snapshot.blobs.size - lacking.length,
      lacking,
    });
    archive.finalize();
  };
  // A failure before the first byte is an error response; a later one aborts the stream.
  await new Promise<void>((resolve, reject) => {
    duringChange(context, 'GET /v1/backup', () => write(resolve), onProblem)
      .catch((thrown: unknown) => {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        reject(error);
        // A disconnected client is not an error.
        if (!archive.destroyed) onProblem(error);
        archive.destroy(error);
      })
      .finally(() => void rm(folder, { recursive: true, force: true }).catch(onProblem));
  });
  const onStall = () => {
    const problem = new Error(`Its client read nothing for ${patienceMs / 1000} s.`);
    onProblem(problem);
    archive.destroy(problem);
  };
  return Readable.from(eachTaken(archive as AsyncIterable<Buffer>, patienceMs, onStall), {
    objectMode: false,
  });
}

async function* eachTaken(
  chunks: AsyncIterable<Buffer>,
  patienceMs: number,
  onStall: () => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const patience = setTimeout(onStall, patienceMs);
    try {
      yield chunk;
    } finally {
      clearTimeout(patience);
    }
  }
}

function ofTemporaryFolder(error: unknown): never {
  if (isDiskFull(error) && (error as NodeJS.ErrnoException).syscall !== undefined)
    throw baseErrors.disk_full('The disk of the temporary folder of the registry (TMPDIR) is full.', {
      cause: error,
    });
  throw error;
}

interface Snapshot {
  takenAt: Date;
  rows: number;
  migrations: string[];
  blobs: Map<string, boolean>;
}

function dumpRows({ db, now }: BackupContext, path: string): Promise<Snapshot> {
  return atOneMoment(db, async (moment) => {
    let rows = 0;
    // Before the first query, which takes the snapshot: a restore skips the numbers issued later.
    const takenAt = now();
    async function* lines() {
      for (const table of await tablesInOrder(moment)) {
        for await (const row of dumpTable(moment, table)) {
          rows += 1;
          yield `{"table":"${table.name}","row":${row}}\n`;
        }
      }
    }
    await pipeline(lines, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch(ofTemporaryFolder);
    const named = await namedBlobs({ db: moment });
    const blobs = new Map([...named].map(([integrity, { isServed }]) => [integrity, isServed]));
    return { takenAt, rows, blobs, migrations: await listMigrations(moment) };
  });
}

async function packBlobs(
  { store }: BackupContext,
  archive: Pack,
  blobs: ReadonlyMap<string, boolean>,
): Promise<string[]> {
  const lacking: string[] = [];
  for (const [integrity, isServed] of blobs) {
    const bytes = await store.get(integrity);
    if (!bytes || computeIntegrity(bytes) !== integrity) {
      lacking.push(integrity);
      continue;
    }
    const mode = isServed ? SERVED_MODE : UNSERVED_MODE;
    await addEntry(archive, { name: blobEntry(integrityHex(integrity)), mode }, bytes);
  }
  return lacking;
}

function addEntry(archive: Pack, header: Pick<Header, 'name' | 'mode'>, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = archive.entry(header, bytes, (error) => (error ? reject(error) : resolve()));
    // Entries end with the archive, and an unhandled error would end the process.
    entry.on('error', reject);
  });
}

async function packRows(archive: Pack, path: string, header: BackupHeader): Promise<void> {
  const first = Buffer.from(`${JSON.stringify(header)}\n`);
  const { size } = await stat(path);
  const entry = archive.entry({ name: ROWS_ENTRY, mode: UNSERVED_MODE, size: first.length + size });
  entry.write(first);
  await pipeline(createReadStream(path), entry as unknown as Writable);
}
