import { randomUUID } from 'node:crypto';
import type { RevocationAnswer, TokenMade, TokensAnswer } from '@site/contract';
import { baseErrors } from '@site/server/base-errors';
import { appendAudit } from '../kernel/audit.repository.ts';
import { tokenRevoked } from '../kernel/notices.ts';
import { findToken, listTokens, saveToken, updateTokenRevoked } from './token.repository.ts';
import { timeText } from '@site/contract/text';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { ReasonedRequest } from '@site/contract/registry-calls/fields';
import type { TokenRequest } from '@site/contract/registry-calls/upkeep.calls';
import { createSecret, createToken, hashSecret } from '@site/server/secrets';
import type { Answer, Command, Salted } from '../kernel/command.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { cutPage } from '../kernel/lists.ts';
import { type Outcome, runChange } from '../kernel/run-change.ts';
import { DAY_MS } from '@site/server/durations';

/**
 * Responses are stored for retries, but secrets must not be: the salt is stored, from which each registry derives the
 * same secret. So a retry returns a working token, and nothing is written after the commit.
 */
export async function makeToken(command: Command, request: TokenRequest): Promise<Answer<TokenMade>> {
  const { name, scopes, expiresInDays } = request;
  const { context } = command;
  const answer = await runChange(command, {
    decide(_, at) {
      const expiresAt = expiresInDays === undefined ? null : new Date(at.getTime() + expiresInDays * DAY_MS);
      return { name, scopes, expiresAt };
    },
    async write(writing, wanted): Promise<Outcome<Salted<TokenMade>>> {
      const { transaction, at } = writing;
      const made = { id: randomUUID(), ...wanted };
      const salt = createSecret();
      const hash = hashSecret(createToken(context.deriveSecret(salt)));
      await saveToken(transaction, { ...made, hash, createdAt: at });
      const expiresAt = made.expiresAt?.toISOString() ?? null;
      await appendAudit(writing, {
        action: 'token.made',
        subject: made.id,
        details: { name, scopes, expiresAt },
      });
      return { body: { ...made, expiresAt, token: null, salt }, created: true };
    },
  });
  const { salt, ...body } = answer.body;
  if (command.dryRun) return { ...answer, body };
  const token = createToken(context.deriveSecret(salt ?? ''));
  if (answer.replayed) await requireOpens(context, body, token);
  return { ...answer, body: { ...body, token } };
}

/** A retry may come long after the token ended. @throws ApiError `token_unknown`. */
async function requireOpens({ db, now }: RegistryContext, made: TokenMade, token: string): Promise<void> {
  const row = await findToken(db, made.id);
  const ended = (why: string) =>
    registryErrors.token_unknown(`This key made the token "${made.name}" (${made.id}), which ${why}.`);
  if (!row) throw ended('does not exist any more');
  if (row.revoked_at) throw ended(`was revoked at ${timeText(row.revoked_at)}`);
  if (row.expires_at && row.expires_at <= now()) throw ended(`expired at ${timeText(row.expires_at)}`);
  if (row.hash !== hashSecret(token))
    throw ended('another registry made, with another AUDIT_KEY or version: revoke it, and make a new one');
}

export async function showTokens(
  { db, now }: RegistryContext,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<TokensAnswer> {
  const at = now();
  if (before !== undefined && !(await findToken(db, before))) {
    // An unknown cursor must fail: an empty page would look like the end of the list.
    throw baseErrors.request_malformed(
      `"before" is "${before.slice(0, 50)}": the id of a token is needed, as returned by the previous page.`,
      { source: { parameter: 'before' } },
    );
  }
  const { page, last } = cutPage(await listTokens(db, { limit: limit + 1, before, at }), limit);
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

export function revokeToken(
  command: Command,
  id: string,
  { reason }: ReasonedRequest,
): Promise<Answer<RevocationAnswer>> {
  return runChange(command, {
    read: (db) => findToken(db, id),
    decide(token, at) {
      if (!token) throw registryErrors.token_unknown(`There is no token with the id "${id.slice(0, 50)}".`);
      const { name, revoked_at: before } = token;
      if (token.id === command.actor.tokenId) {
        throw registryErrors.token_in_use(`The token "${name}" cannot revoke itself.`);
      }
      return { name, revokedAt: (before ?? at).toISOString(), changed: before === null };
    },
    async write(writing, { name, revokedAt, changed }) {
      const body = { id, revokedAt, changed };
      if (!changed) return { body };
      await updateTokenRevoked(writing.transaction, id, writing.at);
      await appendAudit(writing, { action: 'token.revoked', subject: id, details: { name, reason } });
      return { body, notices: [tokenRevoked(id)] };
    },
  });
}
