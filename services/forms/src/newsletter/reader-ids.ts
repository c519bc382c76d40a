import { createHmac } from 'node:crypto';
import { mailboxOf } from '../limits/mailbox.ts';

/** The subscriber id of an address. */
export type ReaderIdOf = (email: string) => Promise<string>;

/**
 * A keyed hash of the mailbox as a UUID (RFC 9562, version 8): stable across subscriptions, so that the link
 * in an old newsletter still works although nothing was stored in between.
 */
export function createReaderIds(secret: () => Promise<string>): ReaderIdOf {
  return async (email) => {
    const bytes = createHmac('sha256', await secret())
      .update(mailboxOf(email))
      .digest()
      .subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  };
}
