import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { REPORT_TOKEN_MS } from '@site/contract/signals/report-limits';

/** A document's token, required for its reports. */
export interface Tokens {
  /** Until the registry has sent the key, no token is issued or valid. */
  useKey(key: string): void;
  make(): string | null;
  /** The random part of a valid token by an edge of this registry; else null. */
  read(token: string): string | null;
  /** One of `bits` for a network: identical on every edge of this registry, and unpredictable without the key. */
  networkBit(network: string, bits: number): number;
}

const SIGNATURE_BYTES = 16;
const form = /^v1\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})$/;

/** Stateless tokens: `v1.<end>.<random>.<signature>`. */
export function createTokens(now: () => number): Tokens {
  let secret: Buffer | null = null;

  function sign(key: Buffer, text: string): Buffer {
    return createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
  }

  return {
    useKey(key) {
      secret = Buffer.from(key, 'base64url');
    },
    make() {
      if (!secret) return null;
      const body = `v1.${(now() + REPORT_TOKEN_MS).toString(36)}.${randomBytes(16).toString('base64url')}`;
      return `${body}.${sign(secret, body).toString('base64url')}`;
    },
    read(token) {
      const [, end = '', id = '', signature = ''] = form.exec(token) ?? [];
      if (!secret || signature === '') return null;
      const made = sign(secret, `v1.${end}.${id}`);
      if (!timingSafeEqual(made, Buffer.from(signature, 'base64url'))) return null;
      const left = Number.parseInt(end, 36) - now();
      return left > 0 && left <= REPORT_TOKEN_MS ? id : null;
    },
    networkBit(network, bits) {
      if (!secret) throw new Error('There is no key to draw the bits of networks with.');
      return sign(secret, `network ${network}`).readUInt32BE() % bits;
    },
  };
}
