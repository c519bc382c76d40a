import { createHash } from 'node:crypto';

/** The first 12 hex digits of the SHA-256 of a text or bytes: enough to tell builds apart in names. */
export function shortHash(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
