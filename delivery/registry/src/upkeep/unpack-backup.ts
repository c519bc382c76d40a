import { createWriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Extract } from 'tar-stream';
import { IntegrityMismatchError } from '@site/artifacts/artifact-store';
import { integrityFromHex, computeIntegrity } from '@site/contract/integrity';
import { LARGEST_BLOB_BYTES } from '@site/contract/registry-calls/blob.calls';
import type { RegistryContext } from '../kernel/context.ts';
import { BLOB_ENTRY, ROWS_ENTRY, SERVED_MODE, explain, invalid } from './archive.ts';

type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;

/** Bucket requests are slow, and the client has 64 connections. */
const PUTS_AT_ONCE = 48;
const BYTES_AT_ONCE = 64 * 1024 * 1024;

interface UnpackedBlobs {
  all: Set<string>;
  served: string[];
}

export async function unpack(
  { store }: RegistryContext,
  archive: Readable,
  path: string,
  dryRun: boolean,
): Promise<UnpackedBlobs> {
  const blobs: UnpackedBlobs = { all: new Set(), served: [] };
  const puts = createPuts(store.createBulkPut());
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
    const bytes = await readBytes(entry);
    if (dryRun) requireHash(integrity, bytes);
    else await puts.begin(integrity, bytes);
    blobs.all.add(integrity);
    if (mode === SERVED_MODE) blobs.served.push(integrity);
  };

  const entries = extract();
  const reading = (async () => {
    try {
      for await (const entry of entries) await take(entry);
    } finally {
      await puts.ended();
    }
  })();
  try {
    // The first failure aborts the other side; its error is the cause.
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

function createPuts(put: RegistryContext['store']['put']) {
  const underWay = new Set<Promise<void>>();
  let bytesUnderWay = 0;

  return {
    async begin(integrity: string, bytes: Buffer): Promise<void> {
      while (
        underWay.size >= PUTS_AT_ONCE ||
        (underWay.size > 0 && bytesUnderWay + bytes.length > BYTES_AT_ONCE)
      )
        await Promise.race(underWay);
      bytesUnderWay += bytes.length;
      const begun = put(integrity, bytes).then(() => {
        bytesUnderWay -= bytes.length;
        underWay.delete(begun);
      });
      // A failed put stays and rejects the next waiter.
      begun.catch(() => undefined);
      underWay.add(begun);
    },
    async ended(): Promise<void> {
      await Promise.allSettled(underWay);
      await Promise.all(underWay);
    },
  };
}

async function readBytes(entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function requireHash(integrity: string, bytes: Buffer): void {
  const actual = computeIntegrity(bytes);
  if (actual !== integrity) throw new IntegrityMismatchError(integrity, actual);
}
