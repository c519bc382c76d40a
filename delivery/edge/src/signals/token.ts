import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { BUCKETS } from '@site/contract';
import { REPORT_TOKEN_MS } from '@site/contract/signals/report-limits';

/** A token is valid only for reports about its document, from this network. */
export interface TokenScope {
  /** See `toSubnet`. */
  network: string;
  /** See `documentKey`. */
  document: string;
}

export interface Tokens {
  /** Until the registry has sent the key, no token is issued or valid. */
  useKey(key: string): void;
  make(scope: TokenScope): string | null;
  /** Its random part. Null for an invalid token, or one of another network or document. */
  read(token: string, scope: TokenScope): string | null;
  /** One of `bits` for a network: identical on every edge of this registry, and unpredictable without the key. */
  networkBit(network: string, bits: number): number;
  /** Proves that the edge's page about this preview link was shown; null without the key. */
  previewConfirmation(linkId: string): string | null;
  /** The network's position in canary shares; null without the key. */
  networkBucket(network: string): number | null;
}

const scoped = (body: string, { network, document }: TokenScope) => `${body} ${document} ${network}`;

const SIGNATURE_BYTES = 16;
const form = /^v3\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})$/;

/** Stateless tokens: `v3.<end>.<random>.<signature>`. */
export function createTokens(now: () => number): Tokens {
  let secret: Buffer | null = null;

  function sign(key: Buffer, text: string): Buffer {
    return createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
  }

  return {
    useKey(key) {
      secret = Buffer.from(key, 'base64url');
    },
    make(scope) {
      if (!secret) return null;
      const end = (now() + REPORT_TOKEN_MS).toString(36);
      const body = `v3.${end}.${randomBytes(16).toString('base64url')}`;
      return `${body}.${sign(secret, scoped(body, scope)).toString('base64url')}`;
    },
    read(token, scope) {
      const [, end = '', id = '', signature = ''] = form.exec(token) ?? [];
      if (!secret || signature === '') return null;
      const made = sign(secret, scoped(`v3.${end}.${id}`, scope));
      if (!timingSafeEqual(made, Buffer.from(signature, 'base64url'))) return null;
      const left = Number.parseInt(end, 36) - now();
      if (left <= 0 || left > REPORT_TOKEN_MS) return null;
      return id;
    },
    networkBit(network, bits) {
      if (!secret) throw new Error('There is no key to draw the bits of networks with.');
      return sign(secret, `network ${network}`).readUInt32BE() % bits;
    },
    previewConfirmation: (linkId) => secret && sign(secret, `preview ${linkId}`).toString('base64url'),
    networkBucket: (network) => secret && sign(secret, `bucket ${network}`).readUInt32BE() % BUCKETS,
  };
}
