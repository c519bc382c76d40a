import { IDEMPOTENCY_HEADER } from '@site/contract/http';
import { findAnswer, insertAnswer } from './idempotency.repository.ts';
import { inTransaction } from './in-transaction.ts';
import { takeLocks, type Locks } from './locks.ts';
import { traceChange } from './trace-change.ts';
import { sendNotice, type Notice } from './notices.ts';
import type { RegistryDb, RegistryTransaction } from './tables.ts';
import type { ChangeContext } from './change-context.ts';
import { registryErrors } from './registry-errors.ts';
import type { Answer, Command } from './command.ts';
import { actorAccount } from './actor.ts';
import type { RegistryContext } from './context.ts';

/**
 * In the order in which `runChange` calls them. `Seen` is what was read, `Plan` what was decided, `Ready` what was
 * prepared.
 */
export interface Change<Seen, Plan, Ready, Body extends object> {
  locks?: Locks;
  /** Repeated after a restart. */
  read?(db: RegistryDb): Promise<Seen>;
  decide?(seen: Seen, at: Date): Plan;
  check?(db: RegistryDb, plan: Plan): Promise<void>;
  /** Slow work such as rendering, without locks or a transaction. */
  prepare?(plan: Plan): Promise<Ready>;
  /** Writes rows that no lock holder waits for, so that it blocks no other change. */
  begin?(transaction: RegistryTransaction): Promise<void>;
  /** Under the locks: whether the plan is outdated. If so, everything restarts. */
  hasMoved?(transaction: RegistryTransaction, plan: Plan, ready: Ready): Promise<boolean>;
  write(writing: ChangeContext, plan: Plan, ready: Ready): Promise<Outcome<Body>>;
}

export interface Outcome<Body> {
  body: Body;
  created?: boolean;
  notices?: readonly Notice[];
}

type Context = Pick<RegistryContext, 'db' | 'now'>;

/**
 * Makes a change once per idempotency key. Writes, audit entries, the stored response and the notifications are one
 * transaction; a dry run is the same, rolled back. See `docs/decisions/0015-atomic-idempotent-changes.md`.
 * @throws ApiError `idempotency_key_reused` if the key belongs to another request, and the errors of the change.
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
      if (answer === MOVED) continue;
      traceChange(answer.body, answer.status === 201);
      return answer;
    }
  } catch (error) {
    // A concurrent retry of this request may have won; both return its response.
    const winner = await storedAnswer<Body>(command);
    if (!winner) throw error;
    return winner;
  }
}

const MOVED = Symbol('the plan is outdated');

async function attempt<Seen, Plan, Ready, Body extends object>(
  command: Command<Context>,
  change: Change<Seen, Plan, Ready, Body>,
): Promise<Answer<Body> | typeof MOVED> {
  const { context, actor, dryRun } = command;
  // Without preparation, decide only under the locks, where the state cannot change.
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
  const stored = await findAnswer(context.db, { tokenId: actorAccount(actor), key });
  if (!stored) return null;
  if (stored.requestDigest !== requestDigest) {
    throw registryErrors.idempotency_key_reused(`The key "${key}" belongs to another request.`, {
      source: { header: IDEMPOTENCY_HEADER },
    });
  }
  return { status: stored.status, body: stored.body as Body, replayed: true };
}

/** Store "unchanged" as well: a retry must not act because others have changed the state since. */
async function remember(
  { actor, key, requestDigest }: Command<Context>,
  { transaction, at }: ChangeContext,
  { status, body }: Answer,
): Promise<void> {
  if (key === null) return;
  const isFirst = await insertAnswer(
    transaction,
    { tokenId: actorAccount(actor), key },
    { requestDigest, status, body },
    at,
  );
  if (!isFirst) throw new Error(`Another request has used the key "${key}" in the meantime.`);
}
