import { createHash } from 'node:crypto';

/** The Subresource Integrity value (SHA-384) of some bytes. On servers and in builds only. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}
