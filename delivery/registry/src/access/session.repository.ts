import { sql } from 'kysely';
import type { Scope } from '@site/contract/registry-calls/scopes';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';

const SESSIONS_OF_A_TOKEN = 50;

export interface NewSession {
  hash: string;
  tokenId: string;
  at: Date;
  expiresAt: Date;
}

export interface StoredSession {
  tokenId: string;
  name: string;
  scopes: readonly Scope[];
  trusts: string[] | null;
  expiresAt: Date;
}

/** Deletes expired sessions, and the token's oldest above the limit. */
export async function insertSession(
  transaction: RegistryTransaction,
  { hash, tokenId, at, expiresAt }: NewSession,
): Promise<void> {
  await transaction.deleteFrom('console_sessions').where('expires_at', '<=', at).execute();
  await sql`
    delete from registry.console_sessions where hash in (
      select hash from registry.console_sessions where token_id = ${tokenId}
      order by created_at desc, hash offset ${SESSIONS_OF_A_TOKEN - 1}
    )`.execute(transaction);
  await transaction
    .insertInto('console_sessions')
    .values({ hash, token_id: tokenId, created_at: at, expires_at: expiresAt })
    .execute();
}

function inForce(db: RegistryDb, at: Date) {
  return db
    .selectFrom('console_sessions')
    .innerJoin('tokens', 'tokens.id', 'console_sessions.token_id')
    .where('console_sessions.expires_at', '>', at)
    .where('tokens.revoked_at', 'is', null)
    .where((where) =>
      where.or([where('tokens.expires_at', 'is', null), where('tokens.expires_at', '>', at)]),
    );
}

export async function findSession(
  db: RegistryDb,
  hash: string,
  at: Date,
): Promise<StoredSession | undefined> {
  return inForce(db, at)
    .select([
      'tokens.id as tokenId',
      'tokens.name',
      'tokens.scopes',
      'tokens.trusts',
      'console_sessions.expires_at as expiresAt',
    ])
    .where('console_sessions.hash', '=', hash)
    .executeTakeFirst();
}

export async function sessionsInForce(
  db: RegistryDb,
  hashes: readonly string[],
  at: Date,
): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await inForce(db, at)
    .select('console_sessions.hash')
    .where('console_sessions.hash', 'in', hashes)
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}

export async function deleteSession(db: RegistryDb, hash: string): Promise<string | null> {
  const deleted = await db
    .deleteFrom('console_sessions')
    .where('hash', '=', hash)
    .returning('token_id')
    .executeTakeFirst();
  return deleted?.token_id ?? null;
}

export interface NewLink {
  hash: string;
  tokenId: string;
  expiresAt: Date;
  sessionEndsAt: Date;
}

export async function insertLink(
  db: RegistryDb,
  { hash, tokenId, expiresAt, sessionEndsAt }: NewLink,
  at: Date,
): Promise<void> {
  await db.deleteFrom('console_links').where('expires_at', '<=', at).execute();
  await db
    .insertInto('console_links')
    .values({ hash, token_id: tokenId, expires_at: expiresAt, session_ends_at: sessionEndsAt })
    .execute();
}

/** Of concurrent requests with its code, only one gets it. Undefined if it is used or expired. */
export async function takeLink(
  transaction: RegistryTransaction,
  hash: string,
  at: Date,
): Promise<{ tokenId: string; sessionEndsAt: Date } | undefined> {
  return transaction
    .deleteFrom('console_links')
    .where('hash', '=', hash)
    .where('expires_at', '>', at)
    .returning(['token_id as tokenId', 'session_ends_at as sessionEndsAt'])
    .executeTakeFirst();
}
