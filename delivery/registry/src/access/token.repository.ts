import { sql } from 'kysely';
import type { Provenance } from '@site/contract/provenance';
import type { Scope } from '@site/contract/registry-calls/scopes';
import { jsonRows } from '../kernel/json-rows.ts';
import type { RegistryDb, RegistryTransaction, TokenRow } from '../kernel/tables.ts';

export interface NewToken {
  id: string;
  name: string;
  hash: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  pipeline?: { trusts: string[]; provenance: Provenance };
}

export async function findTokenByHash(db: RegistryDb, hash: string): Promise<TokenRow | undefined> {
  return db.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst();
}

/** Updates name, scopes and expiry of a token with the same hash. */
export async function saveToken(db: RegistryDb, token: NewToken): Promise<void> {
  const { id, name, hash, createdAt, expiresAt, pipeline } = token;
  const changing = { name, scopes: JSON.stringify(token.scopes), expires_at: expiresAt };
  const ofPipeline = pipeline && {
    trusts: JSON.stringify(pipeline.trusts),
    provenance: JSON.stringify(pipeline.provenance),
  };
  await db
    .insertInto('tokens')
    .values({ id, hash, created_at: createdAt, revoked_at: null, ...changing, ...ofPipeline })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet(changing))
    .execute();
}

export async function findToken(db: RegistryDb, id: string): Promise<TokenRow | undefined> {
  return db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function tokensInForce(db: RegistryDb, ids: readonly string[], at: Date): Promise<Set<string>> {
  const rows = await db
    .selectFrom('tokens')
    .select('id')
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The owner of the apps, of several the first by name; null if none is registered. */
export async function findFirstOwner(db: RegistryDb, apps: readonly string[]): Promise<string | null> {
  if (apps.length === 0) return null;
  const found = await db
    .selectFrom('apps')
    .select('owner')
    .where('app', 'in', apps)
    .orderBy('owner')
    .limit(1)
    .executeTakeFirst();
  return found?.owner ?? null;
}

export async function listEndingTokens(db: RegistryDb, at: Date, until: Date) {
  return db
    .selectFrom('tokens')
    .select(['id', 'name', 'created_at as from', 'expires_at as end'])
    .where('trusts', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .where('expires_at', '<', until)
    .$narrowType<{ end: Date }>()
    .execute();
}

/** Edge → when its last token expired. Omits edges with a valid one. */
export async function expiredEdgeTokens(
  db: RegistryDb,
  edges: readonly string[],
  at: Date,
): Promise<Map<string, Date>> {
  const { rows } = await sql<{ edge: string; end: Date }>`
    select edges.value as edge, max(expires_at) as "end"
    from ${jsonRows(edges)} as edges
    join registry.tokens on revoked_at is null and scopes ? ('edge:' || edges.value)
    group by edges.value having bool_and(coalesce(expires_at <= ${at}, false))`.execute(db);
  return new Map(rows.map(({ edge, end }) => [edge, end]));
}

/** Newest first. Omits expired tokens of pipelines, because there may be thousands. */
export async function listTokens(
  db: RegistryDb,
  { limit, before, at }: { limit: number; before: string | undefined; at: Date },
): Promise<TokenRow[]> {
  const query = db
    .selectFrom('tokens')
    .selectAll()
    .where((where) =>
      where.or([
        where('trusts', 'is', null),
        where.and([where('expires_at', '>', at), where('revoked_at', 'is', null)]),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (before === undefined) return query.execute();
  return query
    .where(sql<boolean>`(created_at, id) < (select created_at, id from registry.tokens where id = ${before})`)
    .execute();
}

export async function updateTokenRevoked(db: RegistryDb, id: string, at: Date): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
}

export async function allTokens(db: RegistryDb): Promise<TokenRow[]> {
  return db.selectFrom('tokens').selectAll().execute();
}

/** The configured tokens stay valid after a restore: the restoring client uses one of them. */
export async function keepTokens(
  transaction: RegistryTransaction,
  tokens: readonly TokenRow[],
): Promise<void> {
  for (const { id, name, hash, scopes, created_at } of tokens) {
    const valid = { name, scopes: JSON.stringify(scopes), expires_at: null, revoked_at: null };
    await transaction
      .insertInto('tokens')
      .values({ id, hash, created_at, ...valid })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet(valid))
      .execute();
  }
}
