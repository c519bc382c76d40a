import type { FastifyRequest } from 'fastify';
import type { Session, SignIn } from '@site/contract/registry-calls/session.calls';
import { deleteSession, findSession, insertLink, insertSession, takeLink } from './session.repository.ts';
import { inTransaction } from '../kernel/in-transaction.ts';
import { sendNotice, sessionEnded } from '../kernel/notices.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { findToken } from './token.repository.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import { createSecret, hashSecret } from '@site/server/secrets';
import { requireOwnPage, readSessionId } from './console-cookie.ts';
import { authenticate, findTokenOwner, accountFields } from './tokens.ts';
import type { Actor } from '../kernel/actor.ts';
import { HOUR_MS, MINUTE_MS } from '@site/server/durations';

const LONGEST_SESSION_MS = 12 * HOUR_MS;
const LINK_MS = MINUTE_MS;

interface Context {
  db: RegistryDb;
  now(): Date;
}

export interface BegunSession {
  id: string;
  expiresAt: Date;
  actor: Actor;
}

/**
 * The session id is always new, to prevent session fixation.
 * @throws ApiError `token_invalid`, `link_over`.
 */
export async function signIn({ db, now }: Context, sent: SignIn): Promise<BegunSession> {
  const at = now();
  const longest = new Date(at.getTime() + LONGEST_SESSION_MS);
  if ('token' in sent) {
    const owner = await findTokenOwner(db, sent.token.trim(), at);
    return inTransaction(db, false, (transaction) => begin(transaction, owner.tokenId, longest, at));
  }
  return inTransaction(db, false, async (transaction) => {
    const link = await takeLink(transaction, hashSecret(sent.code), at);
    if (!link) throw registryErrors.link_over('This link was opened before, or too late.');
    return begin(transaction, link.tokenId, link.sessionEndsAt, at);
  });
}

async function begin(
  transaction: Parameters<typeof insertSession>[0],
  tokenId: string,
  latest: Date,
  at: Date,
): Promise<BegunSession> {
  const token = await findToken(transaction, tokenId);
  const expiresAt = token?.expires_at && token.expires_at < latest ? token.expires_at : latest;
  const id = createSecret();
  const hash = hashSecret(id);
  await insertSession(transaction, { hash, tokenId, at, expiresAt });
  const session = await findSession(transaction, hash, at);
  if (!session) throw registryErrors.session_over("The session's token has ended.");
  const { name, scopes } = session;
  const account = await accountFields(transaction, session);
  return {
    id,
    expiresAt,
    actor: { tokenId, name, scopes, ...account, session: { hash, expiresAt } },
  };
}

/** @throws ApiError `session_over`. */
export async function authenticateSession({ db, now }: Context, id: string): Promise<Actor> {
  const hash = hashSecret(id);
  const found = await findSession(db, hash, now());
  if (!found) {
    throw registryErrors.session_over('The session was signed out or has expired, or its token has ended.', {
      source: { header: 'cookie' },
    });
  }
  const { tokenId, name, scopes, expiresAt } = found;
  return { tokenId, name, scopes, ...(await accountFields(db, found)), session: { hash, expiresAt } };
}

/**
 * By its token, or else by its session cookie.
 * @throws ApiError
 */
export async function authenticateRequest(context: Context, request: FastifyRequest): Promise<Actor> {
  const { authorization } = request.headers;
  const id = authorization === undefined ? readSessionId(request) : null;
  if (id === null) return authenticate(context.db, authorization, context.now());
  requireOwnPage(request);
  return authenticateSession(context, id);
}

export async function signOut({ db }: Context, id: string): Promise<void> {
  const tokenId = await deleteSession(db, hashSecret(id));
  if (tokenId !== null) await sendNotice(db, sessionEnded(tokenId));
}

/** The session lasts no longer than a new session or the current one. */
export async function makeLink(
  { db, now }: Context,
  { tokenId, session }: Actor,
): Promise<{ code: string; expiresAt: Date }> {
  const at = now();
  const code = createSecret();
  const expiresAt = new Date(at.getTime() + LINK_MS);
  const sessionEndsAt = session?.expiresAt ?? new Date(at.getTime() + LONGEST_SESSION_MS);
  await insertLink(db, { hash: hashSecret(code), tokenId, expiresAt, sessionEndsAt }, at);
  return { code, expiresAt };
}

export async function describeSession(
  { db }: Context,
  { tokenId, name, scopes, session }: Actor,
): Promise<Session> {
  const token = await findToken(db, tokenId);
  const expiresAt = session?.expiresAt ?? token?.expires_at ?? null;
  const isOps = scopes.includes('ops');
  const allowedApps = (kind: 'publish' | 'activate') =>
    isOps
      ? null
      : scopes.flatMap((scope) => (scope.startsWith(`${kind}:`) ? [scope.slice(kind.length + 1)] : []));
  return {
    name,
    scopes: [...scopes],
    apps: { publish: allowedApps('publish'), activate: allowedApps('activate') },
    expiresAt: expiresAt?.toISOString() ?? null,
    session: session !== undefined,
    tokenId,
  };
}
