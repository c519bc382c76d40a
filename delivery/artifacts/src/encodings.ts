import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { StoredEncoding } from './artifact-store.ts';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** A copy that saves less is not worth its disk space and the client's decompression. */
const WORTHWHILE = 0.95;
/** A smaller file is one packet either way, and edges need two requests instead of one to load a copy. */
export const COMPRESSED_FROM_BYTES = 1_000;
/**
 * Larger texts use a lower quality to take seconds instead of a minute: 1 MB takes about 2 s at brotli 11.
 */
const BEST_UP_TO_BYTES = 1_000_000;

/** None for compressed formats. Text is detected by content, because a blob has no name. */
export async function encodeWorthwhile(bytes: Buffer): Promise<Map<StoredEncoding, Buffer>> {
  const kept = new Map<StoredEncoding, Buffer>();
  if (bytes.length < COMPRESSED_FROM_BYTES || !isText(bytes)) return kept;
  const isLarge = bytes.length > BEST_UP_TO_BYTES;
  // In sequence, so that each blob uses one thread.
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
