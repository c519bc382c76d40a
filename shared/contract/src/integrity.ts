import { createHash } from 'node:crypto';

const PREFIX = 'sha384-';

export function computeIntegrity(bytes: Uint8Array): string {
  return PREFIX + createHash('sha384').update(bytes).digest('base64');
}

/** `sha384-<base64>` → 96 hex digits, the file name of a blob, safe on every file system and in every URL. */
export function integrityHex(integrity: string): string {
  const hex = integrity.startsWith(PREFIX)
    ? Buffer.from(integrity.slice(PREFIX.length), 'base64').toString('hex')
    : '';
  if (!isBlobHex(hex)) {
    throw new TypeError(`"${integrity}" is not an integrity: "sha384-" followed by 64 base64 characters.`);
  }
  return hex;
}

export function integrityFromHex(hex: string): string {
  if (!isBlobHex(hex))
    throw new TypeError(`"${hex}" is not the SHA-384 of a blob: 96 lower-case hex digits.`);
  return PREFIX + Buffer.from(hex, 'hex').toString('base64');
}

export function isBlobHex(text: string): boolean {
  return /^[0-9a-f]{96}$/.test(text);
}
