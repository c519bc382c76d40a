import type { Transaction } from 'kysely';
import type { RegistryTables } from '../database/tables.ts';
import { registryErrors } from '../errors.ts';
import type { Actor, RegistryContext } from './context.ts';

/** A change as its author sent it; a retry after a lost answer carries the same key. */
export interface Command {
  /** The `Idempotency-Key` header, or null when the author sent none: then every request acts. */
  key: string | null;
  /** Digest of everything that was asked for. */
  requestDigest: string;
}

export interface Answer<Body = unknown> {
  status: number;
  body: Body;
}

/** Keys are for retries, not forever. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Someone else stored an answer under the same key between our look and our change. */
class KeyTaken extends Error {}

/**
 * Acts once for each key: gives the stored answer when there is one, otherwise calls `act`, which stores the answer
 * with `remember` in the transaction of its change, so that change and answer are there together or not at all.
 *
 * @throws ApiError `idempotency_key_reused` when the key belongs to another request.
 */
export async function once<Body>(
  context: RegistryContext,
  actor: Actor,
  command: Command,
  act: (remember: Remember) => Promise<Answer<Body>>,
): Promise<Answer<Body> & { replayed: boolean }> {
  const stored = await findAnswer<Body>(context, actor, command);
  if (stored) return { ...stored, replayed: true };
  try {
    let isRemembered = false as boolean;
    const answer = await act(async (transaction, fresh) => {
      await rememberAnswer(context, transaction, actor, command, fresh);
      isRemembered = true;
    });
    // "It is so already" is an answer too: a retry must not act because others have changed it since.
    if (!isRemembered) {
      await context.db
        .transaction()
        .execute((transaction) => rememberAnswer(context, transaction, actor, command, answer));
    }
    return { ...answer, replayed: false };
  } catch (error) {
    // A twin of this very request may have won while this one waited; its answer is the answer to both.
    const winner = await findAnswer<Body>(context, actor, command);
    if (!winner) throw error;
    return { ...winner, replayed: true };
  }
}

export type Remember = (transaction: Transaction<RegistryTables>, answer: Answer) => Promise<void>;

async function findAnswer<Body>(
  { db }: RegistryContext,
  actor: Actor,
  command: Command,
): Promise<Answer<Body> | null> {
  if (command.key === null) return null;
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_digest', 'status', 'response'])
    .where('token_id', '=', actor.tokenId)
    .where('key', '=', command.key)
    .executeTakeFirst();
  if (!row) return null;
  if (row.request_digest !== command.requestDigest) {
    throw registryErrors.idempotency_key_reused(`The key "${command.key}" belongs to another request.`, {
      source: { header: 'idempotency-key' },
    });
  }
  return { status: row.status, body: row.response as Body };
}

async function rememberAnswer(
  { now }: RegistryContext,
  transaction: Transaction<RegistryTables>,
  actor: Actor,
  { key, requestDigest }: Command,
  { status, body }: Answer,
): Promise<void> {
  if (key === null) return;
  const createdAt = now();
  await transaction
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', new Date(createdAt.getTime() - KEPT_MS))
    .execute();
  const inserted = await transaction
    .insertInto('idempotency_keys')
    .values({
      token_id: actor.tokenId,
      key,
      request_digest: requestDigest,
      status,
      response: JSON.stringify(body),
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (!inserted) throw new KeyTaken(key);
}
