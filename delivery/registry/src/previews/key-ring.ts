import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { sql, type Kysely } from 'kysely';
import { MAX_PREVIEW_MINUTES, PREVIEW_ALGORITHM, type PreviewKeys } from '@site/contract';
import type { RegistryTables } from '../database/tables.ts';

/** How old a key becomes before a new one signs. */
const ROTATE_AFTER_MS = 90 * 24 * 60 * 60_000;
/** A link signed by a key on its last day can be followed for this long, and clocks may differ a little. */
const KEEP_AFTER_MS = (MAX_PREVIEW_MINUTES + 60) * 60_000;

interface Key {
  kid: string;
  private_jwk: JWK;
  created_at: Date;
}

/** The key that preview links are signed with now; the first one, and one for each period, is made when it is needed. */
export async function signingKey(
  db: Kysely<RegistryTables>,
  now: Date,
): Promise<{ kid: string; key: CryptoKey }> {
  const { kid, private_jwk } = (await newestKey(db, now)) ?? (await addKey(db, now));
  return { kid, key: (await importJWK(private_jwk, PREVIEW_ALGORITHM)) as CryptoKey };
}

/** The public keys of all links that can still be followed. */
export async function publicKeys(db: Kysely<RegistryTables>, now: Date): Promise<PreviewKeys> {
  const keys = await db
    .selectFrom('signing_keys')
    .selectAll()
    .where('created_at', '>', new Date(now.getTime() - ROTATE_AFTER_MS - KEEP_AFTER_MS))
    .orderBy('created_at', 'desc')
    .execute();
  return { keys: keys.map(publicJwk) };
}

/** Member by member: the private part must not slip through. */
function publicJwk({ kid, private_jwk: { x = '' } }: Key) {
  return { kty: 'OKP' as const, crv: 'Ed25519' as const, x, kid, alg: PREVIEW_ALGORITHM, use: 'sig' };
}

async function newestKey(db: Kysely<RegistryTables>, now: Date): Promise<Key | undefined> {
  return db
    .selectFrom('signing_keys')
    .selectAll()
    .where('created_at', '>', new Date(now.getTime() - ROTATE_AFTER_MS))
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

async function addKey(db: Kysely<RegistryTables>, now: Date): Promise<Key> {
  const { privateKey } = await generateKeyPair(PREVIEW_ALGORITHM, { extractable: true });
  const key: Key = { kid: randomUUID(), private_jwk: await exportJWK(privateKey), created_at: now };
  return db.transaction().execute(async (transaction) => {
    // Two requests, or two registries, may find at the same moment that a key is due.
    await sql`lock table registry.signing_keys in share row exclusive mode`.execute(transaction);
    const faster = await newestKey(transaction, now);
    if (faster) return faster;
    await transaction
      .deleteFrom('signing_keys')
      .where('created_at', '<', new Date(now.getTime() - ROTATE_AFTER_MS - KEEP_AFTER_MS))
      .execute();
    await transaction
      .insertInto('signing_keys')
      .values({ ...key, private_jwk: JSON.stringify(key.private_jwk) })
      .execute();
    return key;
  });
}
