import type { ChannelName, FreezesAnswer } from '@site/contract';
import type { FreezeRequest } from '@site/contract/registry-calls/channel.calls';
import { appendAudit, lockAuditLog } from '../database/audit.repository.ts';
import { lockChannel } from '../database/channel.repository.ts';
import { deleteFreeze, insertFreeze, listFreezes } from '../database/freeze.repository.ts';
import type { Actor, RegistryContext } from './context.ts';
import { inTransaction } from './dry-run.ts';
import { requireApp } from './guards.ts';
import type { Answer, Remember } from './idempotency.ts';

/** From the answer on, nobody activates, promotes or shows to more visitors what is frozen. A freeze keeps its reason. */
export async function freezeChannel(
  context: RegistryContext,
  actor: Actor,
  channel: ChannelName,
  request: FreezeRequest,
  remember: Remember,
): Promise<Answer<FreezesAnswer>> {
  return changeFreezes(context, actor, channel, request, remember, 'channel.frozen');
}

/** Lifts one freeze: that of an app, or that of everything. */
export async function unfreezeChannel(
  context: RegistryContext,
  actor: Actor,
  channel: ChannelName,
  request: FreezeRequest,
  remember: Remember,
): Promise<Answer<FreezesAnswer>> {
  return changeFreezes(context, actor, channel, request, remember, 'channel.unfrozen');
}

async function changeFreezes(
  { db, now }: RegistryContext,
  actor: Actor,
  channel: ChannelName,
  { app, reason, dryRun }: FreezeRequest,
  remember: Remember,
  action: 'channel.frozen' | 'channel.unfrozen',
): Promise<Answer<FreezesAnswer>> {
  const frozen = app ?? null;
  if (app !== undefined) await requireApp(db, app);
  return inTransaction(db, dryRun, async (transaction) => {
    // Whoever changes the channel holds this too: what is committed after the freeze was checked after it.
    await lockChannel(transaction, channel);
    await lockAuditLog(transaction);
    const at = now();
    const changed =
      action === 'channel.frozen'
        ? await insertFreeze(transaction, { channel, app: frozen, reason, by: actor.name, at })
        : await deleteFreeze(transaction, channel, frozen);
    const freezes = await listFreezes(transaction, channel);
    const body: FreezesAnswer = { changed, freezes, ...(dryRun ? { dryRun } : {}) };
    const answer = { status: 200, body };
    if (!changed) return answer;
    await appendAudit(transaction, {
      at,
      by: actor.name,
      action,
      subject: channel,
      details: { app: frozen, reason },
    });
    await remember(transaction, answer);
    return answer;
  });
}
