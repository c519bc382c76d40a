import { sql, type Selectable } from 'kysely';
import type { IdToken, Trust } from './trust.ts';
import { DAY_MS } from '@site/server/durations';
import type { RegistryDb, RegistryTables, RegistryTransaction } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';

/** Retention of expired pipeline tokens. Longer than any preview made with one. */
const FORGOTTEN_AFTER_MS = 60 * DAY_MS;

export type TrustRow = Selectable<RegistryTables['trusts']>;

export function listTrusts(db: RegistryDb): Promise<TrustRow[]> {
  return db.selectFrom('trusts').selectAll().orderBy('app').orderBy('at').orderBy('id').execute();
}

export function listIssuerTrusts(db: RegistryDb, issuer: string): Promise<TrustRow[]> {
  return db.selectFrom('trusts').selectAll().where('issuer', '=', issuer).execute();
}

export function findTrust(db: RegistryDb, id: string): Promise<TrustRow | undefined> {
  return db.selectFrom('trusts').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertTrust(
  { transaction, by, at }: ChangeContext,
  { id, app, issuer, subject, audience, claims, activate }: Trust,
): Promise<void> {
  const row = { id, app, issuer, subject, audience, activate, by, at };
  await transaction
    .insertInto('trusts')
    .values({ ...row, claims: JSON.stringify(claims) })
    .execute();
}

/**
 * Revokes its tokens, including expired ones, to end the previews made with them.
 * @returns the ids of the tokens that were still valid.
 */
export async function deleteTrust({ transaction, at }: ChangeContext, id: string): Promise<string[]> {
  await transaction.deleteFrom('trusts').where('id', '=', id).execute();
  const ended = await transaction
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where(sql<boolean>`trusts @> ${JSON.stringify([id])}::jsonb`)
    .where('revoked_at', 'is', null)
    .returning(['id', 'expires_at'])
    .execute();
  return ended.flatMap((token) => (token.expires_at && token.expires_at > at ? [token.id] : []));
}

/** @returns false if it was already used. */
export async function recordUse(
  { transaction, at }: ChangeContext,
  { digest, expiresAt }: IdToken,
  trusts: readonly Trust[],
): Promise<boolean> {
  await transaction.deleteFrom('used_id_tokens').where('expires_at', '<=', at).execute();
  const inserted = await transaction
    .insertInto('used_id_tokens')
    .values({ digest, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest')
    .executeTakeFirst();
  if (!inserted) return false;
  await transaction
    .updateTable('trusts')
    .set({ used_at: at })
    .where(
      'id',
      'in',
      trusts.map(({ id }) => id),
    )
    .execute();
  return true;
}

export async function forgetTokens(transaction: RegistryTransaction, at: Date): Promise<void> {
  await transaction
    .deleteFrom('tokens')
    .where('trusts', 'is not', null)
    .where('expires_at', '<', new Date(at.getTime() - FORGOTTEN_AFTER_MS))
    .execute();
}
