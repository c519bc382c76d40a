import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { RevocationAnswer, TokenMade, TokensAnswer } from '@site/contract';
import { baseErrors } from '@site/server/base-errors';
import { appendAudit } from '../database/audit.repository.ts';
import {
  findToken,
  listTokens,
  replaceHash,
  revokeTokenRow,
  saveToken,
} from '../database/token.repository.ts';
import { registryErrors } from '../errors.ts';
import type { RevocationRequest } from '@site/contract/registry-calls/preview.calls';
import type { TokenRequest } from '@site/contract/registry-calls/upkeep.calls';
import { createToken, hashToken } from '../tokens.ts';
import { TOKEN_REVOKED, type Actor, type RegistryContext } from './context.ts';
import type { Answer, Remember } from './idempotency.ts';
import { pageOf } from './page-of.ts';

/** Records a token that nobody knows yet: `withSecret` gives it one, a new one for each answer. */
export async function makeToken(
  context: RegistryContext,
  actor: Actor,
  { name, scopes, expiresInDays, dryRun = false }: TokenRequest,
  remember: Remember,
): Promise<Answer<TokenMade>> {
  const now = context.now();
  const expiresAt =
    expiresInDays === undefined ? null : new Date(now.getTime() + expiresInDays * 24 * 60 * 60_000);
  const made: TokenMade = {
    id: randomUUID(),
    name,
    scopes,
    expiresAt: expiresAt?.toISOString() ?? null,
    token: null,
    ...(dryRun ? { dryRun } : {}),
  };
  if (dryRun) return { status: 200, body: made };
  const answer = { status: 201, body: made };
  await context.db.transaction().execute(async (transaction) => {
    await saveToken(transaction, {
      id: made.id,
      name,
      hash: hashToken(createToken()),
      scopes,
      createdAt: now,
      expiresAt,
    });
    await appendAudit(transaction, {
      at: now,
      by: actor.name,
      action: 'token.made',
      subject: made.id,
      details: { name, scopes, expiresAt: made.expiresAt },
    });
    await remember(transaction, answer);
  });
  return answer;
}

/**
 * Puts the token into the answer. Answers are kept for retries, and a secret must not be: so a retry gets another one for
 * the same token, and the one that was lost on the way opens nothing.
 */
export async function withSecret({ db }: RegistryContext, made: TokenMade): Promise<TokenMade> {
  if (made.dryRun) return made;
  const token = createToken();
  await replaceHash(db, made.id, hashToken(token));
  return { ...made, token };
}

/** @throws ApiError `request_malformed` when there is no token to go on from. */
export async function showTokens(
  { db, now }: RegistryContext,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<TokensAnswer> {
  const at = now();
  if (before !== undefined && !(await findToken(db, before))) {
    // Without it there is no place to go on from: an empty answer would look like the end of the list.
    throw baseErrors.request_malformed(
      `"before" is "${before.slice(0, 50)}": the id of a token is needed, as the answer before said it.`,
      { source: { parameter: 'before' } },
    );
  }
  const { page, last } = pageOf(await listTokens(db, { limit: limit + 1, before }), limit);
  return {
    next: last?.id ?? null,
    tokens: page.map(({ id, name, scopes, created_at, expires_at, revoked_at }) => ({
      id,
      name,
      scopes,
      createdAt: created_at.toISOString(),
      expiresAt: expires_at?.toISOString() ?? null,
      revokedAt: revoked_at?.toISOString() ?? null,
      active: revoked_at === null && (expires_at === null || expires_at > at),
    })),
  };
}

export async function revokeToken(
  context: RegistryContext,
  actor: Actor,
  id: string,
  { reason, dryRun = false }: RevocationRequest,
  remember: Remember,
): Promise<Answer<RevocationAnswer>> {
  const row = await findToken(context.db, id);
  if (!row) throw registryErrors.token_unknown(`There is no token with the id "${id.slice(0, 50)}".`);
  if (row.id === actor.tokenId) {
    throw registryErrors.token_in_use(`The token "${row.name}" cannot revoke itself.`);
  }
  const at = context.now();
  if (row.revoked_at || dryRun) {
    const revokedAt = (row.revoked_at ?? at).toISOString();
    const changed = row.revoked_at === null;
    return {
      status: 200,
      body: { id, revokedAt, changed, ...(dryRun ? { dryRun } : {}) } satisfies RevocationAnswer,
    };
  }
  return context.db.transaction().execute(async (transaction) => {
    const changed = await revokeTokenRow(transaction, id, at);
    if (changed) {
      await sql`select pg_notify(${TOKEN_REVOKED}, ${id})`.execute(transaction);
      await appendAudit(transaction, {
        at,
        by: actor.name,
        action: 'token.revoked',
        subject: id,
        details: { name: row.name, reason },
      });
    }
    const body: RevocationAnswer = { id, revokedAt: at.toISOString(), changed };
    await remember(transaction, { status: 200, body });
    return { status: 200, body };
  });
}
