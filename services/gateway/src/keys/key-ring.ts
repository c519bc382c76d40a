import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { MINUTE_MS } from '@site/server/durations';
import type { SigningKeysRepository } from './signing-keys.repository.ts';

/** The signature algorithm of the tokens: Ed25519. */
export const ALGORITHM = 'EdDSA';

/** How long a new key is published before it signs, so that every verifier has fetched it by then. */
const PUBLISH_AHEAD_MS = 10 * MINUTE_MS;
/** How long the keys are kept in memory before the database is asked again. */
const FRESH_FOR_MS = MINUTE_MS;
/** How often an unknown `kid` may make us ask the database. */
const UNKNOWN_KID_PAUSE_MS = 5 * 1000;

interface Key {
  kid: string;
  private: CryptoKey;
  public: CryptoKey;
  publicJwk: JWK;
  activeFrom: number;
}

/** The keys that tokens are signed and verified with. */
export interface KeyRing {
  /** The key that signs now. */
  signer(): Promise<{ kid: string; key: CryptoKey }>;
  /** The public key of a token's `kid`, or undefined. */
  verifier(kid: string): Promise<CryptoKey | undefined>;
  /** The key set to publish (RFC 7517). */
  jwks(): Promise<{ keys: JWK[] }>;
}

export interface KeyRingOptions {
  repository: SigningKeysRepository;
  now: () => number;
  /** How old a key becomes before a new one is made. Milliseconds. */
  rotateAfter: number;
  /** How long a key is needed after another has taken over. Milliseconds. */
  keepAfter: number;
}

/**
 * Keys live in the database, so that all instances share them. A new key is made when the newest is due, is published
 * at once and signs ten minutes later; an old one stays published as long as a token signed with it can be presented.
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
    keys = await Promise.all(rows.map(keyOf));
    loadedAt = at;
  }

  /** Keys that another has replaced so long ago that no acceptable token can carry their signature. */
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
      // With the clock of another instance ahead of ours, the only key may seem to lie in the future.
      const active = usable.filter((key) => key.activeFrom <= now()).at(-1) ?? usable[0];
      if (!active) throw new Error('There is no signing key: the key ring always makes one.');
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

async function keyOf(row: {
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
