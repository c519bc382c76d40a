import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { BUCKETS } from '@site/contract';
import { REPORT_TOKEN_MS } from '@site/contract/signals/report-limits';

/** A token is valid only for reports about its document: from this network, in this release, on pages of this app. */
export interface TokenScope {
  /** See `toSubnet`. */
  network: string;
  release: string;
  app: string;
}

export interface ReadToken {
  /** The random part. */
  id: string;
  isFor(app: string): boolean;
}

export interface Tokens {
  /** Until the registry has sent the key, no token is issued or valid. */
  useKey(key: string): void;
  make(scope: TokenScope): string | null;
  /** Null for an invalid token, or one of another network or release. */
  read(token: string, scope: Omit<TokenScope, 'app'>): ReadToken | null;
  networkBit(network: string, bits: number): number;
  /** The network's position in canary shares; null without the key. */
  networkBucket(network: string): number | null;
}

const scoped = (body: string, { network, release }: Omit<TokenScope, 'app'>) =>
  `${body} ${release} ${network}`;

const SIGNATURE_BYTES = 16;
const APP_BYTES = 3;
const form = /^v2\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{4})\.([A-Za-z0-9_-]{22})$/;

/** Stateless tokens: `v2.<end>.<random>.<app>.<signature>`. */
export function createTokens(now: () => number): Tokens {
  let secret: Buffer | null = null;

  function sign(key: Buffer, text: string): Buffer {
    return createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
  }

  const appTag = (key: Buffer, app: string) =>
    sign(key, `app ${app}`).subarray(0, APP_BYTES).toString('base64url');

  return {
    useKey(key) {
      secret = Buffer.from(key, 'base64url');
    },
    make({ app, ...of }) {
      if (!secret) return null;
      const end = (now() + REPORT_TOKEN_MS).toString(36);
      const body = `v2.${end}.${randomBytes(16).toString('base64url')}.${appTag(secret, app)}`;
      return `${body}.${sign(secret, scoped(body, of)).toString('base64url')}`;
    },
    read(token, of) {
      const [, end = '', id = '', tag = '', signature = ''] = form.exec(token) ?? [];
      if (!secret || signature === '') return null;
      const key = secret;
      const made = sign(key, scoped(`v2.${end}.${id}.${tag}`, of));
      if (!timingSafeEqual(made, Buffer.from(signature, 'base64url'))) return null;
      const left = Number.parseInt(end, 36) - now();
      if (left <= 0 || left > REPORT_TOKEN_MS) return null;
      return { id, isFor: (app) => appTag(key, app) === tag };
    },
    networkBit(network, bits) {
      if (!secret) throw new Error('There is no key to draw the bits of networks with.');
      return sign(secret, `network ${network}`).readUInt32BE() % bits;
    },
    networkBucket: (network) => secret && sign(secret, `bucket ${network}`).readUInt32BE() % BUCKETS,
  };
}
