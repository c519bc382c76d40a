import { open } from 'node:fs/promises';
import type { ReadableStream } from 'node:stream/web';
import { CliError } from './cli-error.ts';
import { fileProblem } from './file-problem.ts';

/** Opens a backup as a stream. @throws CliError `file_unusable`. */
export async function openTar(file: string): Promise<ReadableStream<Uint8Array>> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new CliError(
      'file_unusable',
      `"${file}" cannot be read (${fileProblem(cause)}): name a file written by "npx site backup".`,
      { cause },
    );
  });
  return handle.readableWebStream({ autoClose: true }) as ReadableStream<Uint8Array>;
}
