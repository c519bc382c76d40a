import { createHash } from 'node:crypto';

/** The Subresource Integrity value (SHA-384). For servers and builds only. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}
