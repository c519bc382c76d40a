import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { versionLimits } from './limits.ts';

/** Larger maps are ignored: in memory they take up to twenty times as much. */
const LARGEST_MAP_BYTES = 4 * 1024 * 1024;
const MOST_MAPS = versionLimits.assets;
const LARGEST_UNPACKED_BYTES = 32 * 1024 * 1024;

/**
 * Packs the source maps of a version: one line `["<script path>",<map>]` per script, compressed with gzip.
 * For servers and builds only. Maps that are too large are omitted.
 * @param maps source maps (ECMA-426) as JSON, by the paths of their scripts.
 * @returns null without maps.
 */
export async function packSourceMaps(maps: ReadonlyMap<string, string>): Promise<Buffer | null> {
  let left = LARGEST_UNPACKED_BYTES;
  const lines = [...maps].flatMap(([path, map]) => {
    const line = `${startOfLine(path)}${map}]\n`;
    const size = Buffer.byteLength(line);
    if (Buffer.byteLength(map) > LARGEST_MAP_BYTES || size > left) return [];
    left -= size;
    return [line];
  });
  if (lines.length === 0) return null;
  const packed = await promisify(gzip)(lines.join(''), { level: 9 });
  return packed.length > versionLimits.sourceMapBytes ? null : packed;
}

/**
 * Unpacks the result of `packSourceMaps`.
 * @returns a function that returns a script's source map as unvalidated JSON, or null.
 * @throws Error for other content or too much of it.
 */
export async function readSourceMaps(packed: Buffer): Promise<(path: string) => unknown> {
  const bytes: Buffer = await promisify(gunzip)(packed, { maxOutputLength: LARGEST_UNPACKED_BYTES });
  const lines = splitLines(bytes);
  return (path) => {
    const start = Buffer.from(startOfLine(path));
    const line = lines.find((one) => one.subarray(0, start.length).equals(start));
    if (!line || line.length > start.length + LARGEST_MAP_BYTES + ']'.length) return null;
    return (JSON.parse(line.toString()) as unknown[])[1] ?? null;
  };
}

/** Bounded, because a publisher may have written 32 million line breaks. */
function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf('\n', from);
    const end = newline < 0 ? bytes.length : newline;
    lines.push(bytes.subarray(from, end));
    if (lines.length > MOST_MAPS) throw new Error(`A version has at most ${MOST_MAPS} source maps.`);
    from = end + 1;
  }
  return lines;
}

const startOfLine = (path: string) => `[${JSON.stringify(path)},`;
