import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { appendAudit, CONFIGURATION, lockAuditLog, tokensConfigured } from '../kernel/audit.repository.ts';
import { inTransaction } from '../kernel/in-transaction.ts';
import { findFirstOwner, findTokenByHash, saveToken } from './token.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { ScopeSchema, type Scope } from '@site/contract/registry-calls/scopes';
import { TokenSchema } from '@site/contract/secret.schema';
import { timeText } from '@site/contract/text';
import { parseBearer, hashSecret } from '@site/server/secrets';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { Actor } from '../kernel/actor.ts';

/** The ops token from the configuration, needed to create all others. */
export const BootstrapTokenSchema = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1)),
  token: TokenSchema,
  scopes: v.array(ScopeSchema),
});
export type BootstrapToken = v.InferOutput<typeof BootstrapTokenSchema>;

/**
 * The audit log names new and changed tokens; without an audit log, its first entry will (`appendAudit`), so that a new
 * registry stays empty for a restore.
 * @throws ValiError for a weak token or an unknown scope.
 */
export async function saveBootstrapTokens(
  db: RegistryDb,
  tokens: readonly BootstrapToken[],
  at: Date,
): Promise<void> {
  const parsed = v.parse(v.array(BootstrapTokenSchema), tokens);
  if (parsed.length === 0) return;
  await inTransaction(db, false, async (transaction) => {
    const { sequence } = await lockAuditLog(transaction);
    const changed = [];
    for (const { name, token, scopes } of parsed) {
      const hash = hashSecret(token);
      const before = await findTokenByHash(transaction, hash);
      if (before?.name === name && isDeepStrictEqual(before.scopes, scopes) && !before.expires_at) continue;
      const id = before?.id ?? randomUUID();
      await saveToken(transaction, { id, name, hash, scopes, createdAt: at, expiresAt: null });
      changed.push({ id, name, scopes });
    }
    if (sequence === 0 || changed.length === 0) return;
    await appendAudit({ transaction, at, by: CONFIGURATION }, tokensConfigured(changed));
  });
}

/** @throws ApiError `token_missing`, `token_invalid`. The message never contains the token. */
export async function authenticate(
  db: RegistryDb,
  authorization: string | undefined,
  now: Date,
): Promise<Actor> {
  const token = parseBearer(authorization);
  if (token !== undefined) return findTokenOwner(db, token, now);
  throw registryErrors.token_missing('The request carries no bearer token.', {
    source: { header: 'authorization' },
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** See `Actor`. No token id has the form of a pipeline's account. */
export async function accountFields(
  db: RegistryDb,
  { scopes, trusts }: { scopes: readonly Scope[]; trusts: readonly string[] | null },
): Promise<Pick<Actor, 'pipeline' | 'owner'>> {
  const apps = scopes.flatMap((scope) => /^(?:publish|activate):(.+)$/.exec(scope)?.[1] ?? []);
  const owner = scopes.includes('ops') ? null : await findFirstOwner(db, apps);
  return {
    ...(trusts === null ? {} : { pipeline: `trusts ${trusts.toSorted().join(' ')}` }),
    ...(owner === null ? {} : { owner }),
  };
}

/** @throws ApiError `token_invalid`. The message never contains the token. */
export async function findTokenOwner(db: RegistryDb, token: string, now: Date): Promise<Actor> {
  const row = v.is(TokenSchema, token) ? await findTokenByHash(db, hashSecret(token)) : undefined;
  const invalid = (reason: string) =>
    registryErrors.token_invalid(reason, {
      source: { header: 'authorization' },
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    });
  if (!row) throw invalid('The registry does not know this token.');
  if (row.revoked_at) throw invalid(`The token "${row.name}" was revoked at ${timeText(row.revoked_at)}.`);
  if (row.expires_at && row.expires_at <= now) {
    throw invalid(`The token "${row.name}" expired at ${timeText(row.expires_at)}.`);
  }
  return { tokenId: row.id, name: row.name, scopes: row.scopes, ...(await accountFields(db, row)) };
}
