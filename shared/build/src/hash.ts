import { createHash } from 'node:crypto';

/** The Subresource Integrity value of some bytes. */
export function integrityOf(bytes: Buffer): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}

/** The first 12 hex digits of the SHA-256 of a text or bytes: enough to tell builds apart in names. */
export function shortHash(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
