import { randomBytes } from 'node:crypto';
import { link, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ReadableStream } from 'node:stream/web';
import { CliError } from './cli-error.ts';
import { fileProblem, exists } from './files.ts';

/** A complete tar file ends with two blocks of zeros. */
const TAR_END_BYTES = 1024;

/**
 * Atomic: a temporary file is renamed when it is complete and synced. @returns its size in bytes. @throws CliError
 * `file_exists`, `file_unusable`, `backup_incomplete`, `interrupted`, and the errors of opening the stream.
 */
export async function writeBackup(
  file: string,
  openStream: () => Promise<AsyncIterable<Uint8Array>>,
  signal?: AbortSignal,
): Promise<number> {
  if (await exists(file)) throw fileExists(file);
  const partial = join(dirname(file), `.${basename(file)}.${randomBytes(4).toString('hex')}.part`);
  // Readable only by its owner: it holds secrets.
  const handle = await open(partial, 'wx', 0o600).catch((cause: unknown) => {
    throw unusable(file, cause);
  });
  try {
    let size: number;
    try {
      size = await fill(handle, file, openStream, signal);
    } finally {
      await handle.close();
    }
    await moveIntoPlace(partial, file);
    return size;
  } finally {
    await rm(partial, { force: true });
  }
}

async function fill(
  handle: FileHandle,
  file: string,
  openStream: () => Promise<AsyncIterable<Uint8Array>>,
  signal: AbortSignal | undefined,
): Promise<number> {
  const chunks = (await openStream())[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  let size = 0;
  let tail = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await chunks.next().catch((cause: unknown) => {
      throw signal?.aborted
        ? new CliError('interrupted', `Stopped; "${file}" was not written.`)
        : incomplete('the connection ended early', cause);
    });
    if (done) break;
    // `write` may write only a part when the disk fills up.
    await handle.appendFile(value).catch((cause: unknown) => {
      throw unusable(file, cause);
    });
    size += value.length;
    tail = Buffer.concat([tail, value.subarray(-TAR_END_BYTES)]).subarray(-TAR_END_BYTES);
  }
  if (size % 512 !== 0 || tail.length < TAR_END_BYTES || tail.some((byte) => byte !== 0)) {
    throw incomplete(`it has ${size} bytes and not the end of a tar file`);
  }
  await handle.sync();
  return size;
}

/** A link never replaces an existing file; renaming would. */
async function moveIntoPlace(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw fileExists(file);
    // Some file systems (such as FAT on USB sticks) have no links.
    await rename(partial, file).catch((cause: unknown) => {
      throw unusable(file, cause);
    });
  }
}

function fileExists(file: string): CliError {
  return new CliError(
    'file_exists',
    `"${file}" exists and is not overwritten: choose another name, or move it away.`,
  );
}

function unusable(file: string, cause: unknown): CliError {
  return new CliError(
    'file_unusable',
    `"${file}" cannot be written (${fileProblem(cause)}): choose a folder that exists, with enough space, where ` +
      'you may write.',
    { cause },
  );
}

function incomplete(why: string, cause?: unknown): CliError {
  return new CliError(
    'backup_incomplete',
    `The backup is incomplete: ${why}. The partial file was deleted; run it again.`,
    { cause },
  );
}

/** @throws CliError `file_unusable`. */
export async function openTar(file: string): Promise<ReadableStream<Uint8Array>> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new CliError(
      'file_unusable',
      `"${file}" cannot be read (${fileProblem(cause)}): name a file written by "npx @site/cli backup".`,
      { cause },
    );
  });
  return handle.readableWebStream({ autoClose: true }) as ReadableStream<Uint8Array>;
}
