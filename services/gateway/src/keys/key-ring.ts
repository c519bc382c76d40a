import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { MINUTE_MS } from '@site/server/durations';
import type { SigningKeysRepository } from './signing-keys.repository.ts';

export const ALGORITHM = 'EdDSA';

/** How long a new key is published before it signs, so that every verifier has fetched it by then. */
const PUBLISH_AHEAD_MS = 10 * MINUTE_MS;
const FRESH_FOR_MS = MINUTE_MS;
const UNKNOWN_KID_PAUSE_MS = 5 * 1000;

interface Key {
  kid: string;
  private: CryptoKey;
  public: CryptoKey;
  publicJwk: JWK;
  activeFrom: number;
}

export interface KeyRing {
  signer(): Promise<{ kid: string; key: CryptoKey }>;
  verifier(kid: string): Promise<CryptoKey | undefined>;
  jwks(): Promise<{ keys: JWK[] }>;
}

export interface KeyRingOptions {
  repository: SigningKeysRepository;
  now: () => number;
  rotateAfter: number;
  keepAfter: number;
}

/**
 * Keys are in the database, shared by all instances. When the newest key is due, a new one is created,
 * published immediately, and used for signing ten minutes later; the old one stays published as long as its
 * tokens are acceptable.
 */
export function createKeyRing({ repository, now, rotateAfter, keepAfter }: KeyRingOptions): KeyRing {
  let keys: Key[] = [];
  let loadedAt = -Infinity;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    const at = now();
    const rows = await repository.replace((existing) => {
      const newest = existing.at(-1);
      if (newest && at - newest.created_at.getTime() < rotateAfter)
        return { add: null, remove: outdated(existing, at) };
      const activeFrom = newest ? at + PUBLISH_AHEAD_MS : at;
      return {
        add: async () => ({
          kid: randomUUID(),
          private_jwk: await exportJWK((await generateKeyPair(ALGORITHM, { extractable: true })).privateKey),
          created_at: new Date(at),
          active_from: new Date(activeFrom),
        }),
        remove: outdated(existing, at),
      };
    });
    keys = await Promise.all(rows.map(importKey));
    loadedAt = at;
  }

  function outdated(rows: { kid: string; active_from: Date }[], at: number): string[] {
    return rows
      .filter((_, index) => {
        const successor = rows[index + 1];
        return successor !== undefined && successor.active_from.getTime() + keepAfter < at;
      })
      .map((row) => row.kid);
  }

  function refresh(): Promise<void> {
    loading ??= load().finally(() => (loading = undefined));
    return loading;
  }

  async function current(maxAge: number = FRESH_FOR_MS): Promise<Key[]> {
    if (now() - loadedAt >= maxAge) await refresh();
    return keys;
  }

  return {
    async signer() {
      const usable = await current();
      // With clock skew between instances, the only key may seem to be in the future.
      const active = usable.filter((key) => key.activeFrom <= now()).at(-1) ?? usable[0];
      if (!active) throw new Error('There is no signing key, although the key ring always creates one.');
      return { kid: active.kid, key: active.private };
    },
    async verifier(kid) {
      const withKid = (key: Key) => key.kid === kid;
      return ((await current()).find(withKid) ?? (await current(UNKNOWN_KID_PAUSE_MS)).find(withKid))?.public;
    },
    async jwks() {
      return { keys: (await current()).map((key) => key.publicJwk) };
    },
  };
}

async function importKey(row: {
  kid: string;
  private_jwk: JWK;
  created_at: Date;
  active_from: Date;
}): Promise<Key> {
  const { kty, crv, x } = row.private_jwk as { kty: string; crv: string; x: string };
  const publicJwk: JWK = { kty, crv, x, kid: row.kid, alg: ALGORITHM, use: 'sig' };
  return {
    kid: row.kid,
    private: (await importJWK(row.private_jwk, ALGORITHM)) as CryptoKey,
    public: (await importJWK(publicJwk, ALGORITHM)) as CryptoKey,
    publicJwk,
    activeFrom: row.active_from.getTime(),
  };
}
