import { sql } from 'kysely';
import type { Scope } from '@site/contract/registry-calls/scopes';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';

/** The newest sessions of a token that are kept; nobody needs this many. */
const SESSIONS_OF_A_TOKEN = 50;

export interface NewSession {
  hash: string;
  tokenId: string;
  at: Date;
  expiresAt: Date;
}

/** A session that is in force, and what its token may do. */
export interface StoredSession {
  tokenId: string;
  name: string;
  scopes: readonly Scope[];
  trusts: string[] | null;
  expiresAt: Date;
}

/** Adds a session. What has expired is taken out, and of very many of one token the oldest. */
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

/** The session with this hash, unless it is over or its token is. */
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

/** Those of the sessions that open something at this moment. */
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

/** @returns the id of its token; null when there was none. */
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

/** Adds a link, and takes out those that nobody opened in time. */
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

/** Takes a link out: of any number who come with its code at once, one gets it. Undefined when it is not good any more. */
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
