import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { StoredEncoding } from './artifact-store.ts';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** A copy that saves less than this is not worth its place on the disk and the client's decoder. */
const WORTHWHILE = 0.95;

/**
 * The compressed copies of a blob that are worth keeping: none for formats that are compressed already. Text is told
 * by its bytes, because a blob has no name: one and the same content may be stored under several.
 */
export async function encodeWorthwhile(bytes: Buffer): Promise<Map<StoredEncoding, Buffer>> {
  const kept = new Map<StoredEncoding, Buffer>();
  if (!isText(bytes)) return kept;
  const [br, gz] = await Promise.all([
    brotliAsync(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    gzipAsync(bytes, { level: 9 }),
  ]);
  if (br.length < bytes.length * WORTHWHILE) kept.set('br', br);
  if (gz.length < bytes.length * WORTHWHILE) kept.set('gzip', gz);
  return kept;
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
