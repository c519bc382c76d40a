import type { Kysely } from 'kysely';
import type { Scope } from '../domain/scopes.ts';
import type { RegistryTables, TokenRow } from './tables.ts';

export interface NewToken {
  id: string;
  name: string;
  hash: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
}

export async function findTokenByHash(
  db: Kysely<RegistryTables>,
  hash: string,
): Promise<TokenRow | undefined> {
  return db.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst();
}

/** Stores a token, or sets name, scopes and expiry of the one with the same hash anew. */
export async function saveToken(db: Kysely<RegistryTables>, token: NewToken): Promise<void> {
  const { id, name, hash, createdAt, expiresAt } = token;
  const changing = { name, scopes: JSON.stringify(token.scopes), expires_at: expiresAt };
  await db
    .insertInto('tokens')
    .values({ id, hash, created_at: createdAt, revoked_at: null, ...changing })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet(changing))
    .execute();
}
