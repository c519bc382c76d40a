import { IDEMPOTENCY_HEADER } from '@site/contract/idempotency-header';
import { findAnswer, insertAnswer } from '../database/answer.repository.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { takeLocks, type Locks } from '../database/locks.ts';
import { sendNotice, type Notice } from '../database/notices.ts';
import type { RegistryDb, RegistryTransaction } from '../database/tables.ts';
import type { Writing } from '../database/writing.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import type { Answer, Command } from './command.ts';
import { accountOf } from '../access/actor.ts';
import type { RegistryContext } from './context.ts';

/**
 * A change of the registry. Its parts stand in the order in which `runChange` takes them; what a change has no need of, it
 * leaves out. `Seen` is what was read, `Plan` what was decided, `Ready` what was prepared.
 */
export interface Change<Seen, Plan, Ready, Body extends object> {
  /** What is locked beside the end of the audit log. */
  locks?: Locks;
  /** Reads what the decision rests on. After a fresh start it is read again. */
  read?(db: RegistryDb): Promise<Seen>;
  /** What is to be done. A pure function: whatever it needs was read. Default: what was read. @throws ApiError when it must not be. */
  decide?(seen: Seen, at: Date): Plan;
  /**
   * What others may forbid while this prepares: looked at before, so that nobody waits for a refusal, and under the locks.
   *
   * @throws ApiError
   */
  check?(db: RegistryDb, plan: Plan): Promise<void>;
  /** What takes seconds, such as rendering. It holds no lock and no transaction. */
  prepare?(plan: Plan): Promise<Ready>;
  /** Writes rows that nobody waits for who holds a lock: what is written here holds up no other change. */
  begin?(transaction: RegistryTransaction): Promise<void>;
  /** Under the locks: whether the plan was made for something that is no longer so. Then everything starts afresh. */
  hasMoved?(transaction: RegistryTransaction, plan: Plan, ready: Ready): Promise<boolean>;
  /** Under the locks: makes the change and notes it in the audit log. */
  write(writing: Writing, plan: Plan, ready: Ready): Promise<Outcome<Body>>;
}

/** What came of a change. */
export interface Outcome<Body> {
  body: Body;
  /** Whether there is something that was not there before. */
  created?: boolean;
  /** Who hears of it, once it is committed. */
  notices?: readonly Notice[];
}

type Context = Pick<RegistryContext, 'db' | 'now'>;

/**
 * Makes a change, once for each idempotency key. Everything that is written, its audit entries, the answer for retries and
 * the notices to the edges are one transaction: all of it is there, or nothing. A dry run is the same transaction, rolled
 * back. `docs/decisions/0015-atomic-idempotent-changes.md` says what this guarantees.
 *
 * @throws ApiError `idempotency_key_reused` when the key belongs to another request, and what the change refuses.
 */
export async function runChange<Seen, Plan, Ready, Body extends object>(
  command: Command<Context>,
  change: Change<Seen, Plan, Ready, Body>,
): Promise<Answer<Body>> {
  const stored = await storedAnswer<Body>(command);
  if (stored) return stored;
  try {
    for (;;) {
      const answer = await attempt(command, change);
      if (answer !== MOVED) return answer;
    }
  } catch (error) {
    // A twin of this very request may have won while this one waited; its answer is the answer to both.
    const winner = await storedAnswer<Body>(command);
    if (!winner) throw error;
    return winner;
  }
}

const MOVED = Symbol('what was decided on is no longer so');

async function attempt<Seen, Plan, Ready, Body extends object>(
  command: Command<Context>,
  change: Change<Seen, Plan, Ready, Body>,
): Promise<Answer<Body> | typeof MOVED> {
  const { context, actor, dryRun } = command;
  // What needs no preparation is decided under the locks, where nothing moves.
  const early = change.prepare ? await decideOn(change, context.db, context.now()) : null;
  const ready = early ? await change.prepare?.(early.plan) : undefined;
  return inTransaction(context.db, dryRun, async (transaction) => {
    await change.begin?.(transaction);
    await takeLocks(transaction, change.locks ?? {});
    const at = context.now();
    if (early && (await change.hasMoved?.(transaction, early.plan, ready as Ready))) return MOVED;
    if (early) await change.check?.(transaction, early.plan);
    const { plan } = early ?? (await decideOn(change, transaction, at));
    const writing = { transaction, by: actor.name, at };
    await command.alongside?.(writing);
    const { body, created = false, notices = [] } = await change.write(writing, plan, ready as Ready);
    const answer = {
      status: created && !dryRun ? 201 : 200,
      body: { ...body, ...(dryRun ? { dryRun } : {}) },
      replayed: false,
    };
    await remember(command, writing, answer);
    for (const notice of notices) await sendNotice(transaction, notice);
    return answer;
  });
}

async function decideOn<Seen, Plan, Ready, Body extends object>(
  { read, decide, check }: Change<Seen, Plan, Ready, Body>,
  db: RegistryDb,
  at: Date,
): Promise<{ plan: Plan }> {
  const seen = (await read?.(db)) as Seen;
  const plan = decide ? decide(seen, at) : (seen as unknown as Plan);
  await check?.(db, plan);
  return { plan };
}

async function storedAnswer<Body>({
  context,
  actor,
  key,
  requestDigest,
}: Command<Context>): Promise<Answer<Body> | null> {
  if (key === null) return null;
  const stored = await findAnswer(context.db, { tokenId: accountOf(actor), key });
  if (!stored) return null;
  if (stored.requestDigest !== requestDigest) {
    throw registryErrors.idempotency_key_reused(`The key "${key}" belongs to another request.`, {
      source: { header: IDEMPOTENCY_HEADER },
    });
  }
  return { status: stored.status, body: stored.body as Body, replayed: true };
}

/** "Nothing to change" is remembered, too: a retry must not act because others have changed it since. */
async function remember(
  { actor, key, requestDigest }: Command<Context>,
  { transaction, at }: Writing,
  { status, body }: Answer,
): Promise<void> {
  if (key === null) return;
  const isFirst = await insertAnswer(
    transaction,
    { tokenId: accountOf(actor), key },
    { requestDigest, status, body },
    at,
  );
  if (!isFirst) throw new Error(`Another request has answered under the key "${key}" meanwhile.`);
}
