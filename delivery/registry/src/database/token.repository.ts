import { sql, type Kysely } from 'kysely';
import type { Scope } from '@site/contract/registry-calls/scopes';
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

/** Stores a token, or sets name, scopes and expiry of the one with the same hash again. */
export async function saveToken(db: Kysely<RegistryTables>, token: NewToken): Promise<void> {
  const { id, name, hash, createdAt, expiresAt } = token;
  const changing = { name, scopes: JSON.stringify(token.scopes), expires_at: expiresAt };
  await db
    .insertInto('tokens')
    .values({ id, hash, created_at: createdAt, revoked_at: null, ...changing })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet(changing))
    .execute();
}

export async function findToken(db: Kysely<RegistryTables>, id: string): Promise<TokenRow | undefined> {
  return db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Those of the tokens that open something at this moment. */
export async function tokensInForce(
  db: Kysely<RegistryTables>,
  ids: readonly string[],
  at: Date,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('tokens')
    .select('id')
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Tokens, newest first: the next ones after that with an id. */
export async function listTokens(
  db: Kysely<RegistryTables>,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<TokenRow[]> {
  const query = db
    .selectFrom('tokens')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (before === undefined) return query.execute();
  return query
    .where(sql<boolean>`(created_at, id) < (select created_at, id from registry.tokens where id = ${before})`)
    .execute();
}

/** Gives a token another secret: the one before opens nothing any more. */
export async function replaceHash(db: Kysely<RegistryTables>, id: string, hash: string): Promise<void> {
  await db.updateTable('tokens').set({ hash }).where('id', '=', id).execute();
}

/** @returns whether it was not revoked before. */
export async function revokeTokenRow(db: Kysely<RegistryTables>, id: string, at: Date): Promise<boolean> {
  const revoked = await db
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}
