import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { StoredEncoding } from './artifact-store.ts';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** A copy that saves less than this is not worth its place on the disk and the client's decoder. */
const WORTHWHILE = 0.95;
/** A smaller file is one packet either way, and two requests to the store instead of one for every edge that loads it. */
export const COMPRESSED_FROM_BYTES = 1_000;
/** Larger texts are compressed less well, and so in seconds rather than in a minute: 1 MB takes about 2 s at brotli 11. */
const BEST_UP_TO_BYTES = 1_000_000;

/**
 * The compressed copies of a blob that are worth keeping: none for formats that are compressed already. Text is told
 * by its bytes, because a blob has no name: one and the same content may be stored under several.
 */
export async function encodeWorthwhile(bytes: Buffer): Promise<Map<StoredEncoding, Buffer>> {
  const kept = new Map<StoredEncoding, Buffer>();
  if (bytes.length < COMPRESSED_FROM_BYTES || !isText(bytes)) return kept;
  const isLarge = bytes.length > BEST_UP_TO_BYTES;
  // One after the other: each blob that is compressed keeps one thread busy.
  const br = await brotliAsync(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: isLarge ? 6 : 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  const gz = await gzipAsync(bytes, { level: isLarge ? 6 : 9 });
  if (br.length < bytes.length * WORTHWHILE) kept.set('br', br);
  if (gz.length < bytes.length * WORTHWHILE) kept.set('gzip', gz);
  return kept;
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
