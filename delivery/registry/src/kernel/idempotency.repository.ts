import type { RegistryDb, RegistryTransaction } from './tables.ts';
import { DAY_MS } from '@site/server/durations';

export interface AnswerKey {
  tokenId: string;
  key: string;
}

export interface StoredAnswer {
  requestDigest: string;
  status: number;
  body: unknown;
}

/** Keys serve retries only. */
const KEPT_MS = DAY_MS;

export async function findAnswer(db: RegistryDb, { tokenId, key }: AnswerKey): Promise<StoredAnswer | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_digest', 'status', 'response'])
    .where('token_id', '=', tokenId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row ? { requestDigest: row.request_digest, status: row.status, body: row.response } : null;
}

export async function insertAnswer(
  transaction: RegistryTransaction,
  { tokenId, key }: AnswerKey,
  { requestDigest, status, body }: StoredAnswer,
  at: Date,
): Promise<boolean> {
  await transaction
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', new Date(at.getTime() - KEPT_MS))
    .execute();
  const inserted = await transaction
    .insertInto('idempotency_keys')
    .values({
      token_id: tokenId,
      key,
      request_digest: requestDigest,
      status,
      response: JSON.stringify(body),
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return inserted !== undefined;
}
