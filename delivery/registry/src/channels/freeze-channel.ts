import type { ChannelName, FreezesAnswer } from '@site/contract';
import type { FreezeRequest } from '@site/contract/registry-calls/channel.calls';
import { appendAudit } from '../kernel/audit.repository.ts';
import { deleteFreeze, insertFreeze, listFreezes } from './freeze.repository.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { endPreviews } from './preview.repository.ts';
import { requireApp } from './refusals.ts';
import { runChange } from '../kernel/run-change.ts';

/** Once this returns, activation, promotion and raising shares are blocked. A freeze keeps its reason. */
export function freezeChannel(
  command: Command,
  channel: ChannelName,
  request: FreezeRequest,
): Promise<Answer<FreezesAnswer>> {
  return changeFreezes(command, channel, request, 'channel.frozen');
}

export function unfreezeChannel(
  command: Command,
  channel: ChannelName,
  request: FreezeRequest,
): Promise<Answer<FreezesAnswer>> {
  return changeFreezes(command, channel, request, 'channel.unfrozen');
}

function changeFreezes(
  command: Command,
  channel: ChannelName,
  { app, reason }: FreezeRequest,
  action: 'channel.frozen' | 'channel.unfrozen',
): Promise<Answer<FreezesAnswer>> {
  const frozen = app ?? null;
  const isToBe = action === 'channel.frozen';
  return runChange(command, {
    // Every change of the channel takes this lock, so changes committed after the freeze were checked against it.
    locks: { channels: [channel] },
    read: (db) => listFreezes(db, channel),
    decide: (freezes) => ({ changed: freezes.some((freeze) => freeze.app === frozen) !== isToBe }),
    async check(db) {
      if (app !== undefined) await requireApp(db, app);
    },
    async write(writing, { changed }) {
      if (changed) {
        const freeze = { channel, app: frozen, reason };
        await (isToBe ? insertFreeze(writing, freeze) : deleteFreeze(writing, freeze));
        if (isToBe && app !== undefined)
          await endPreviews(writing, { app, channel }, `${app} was frozen: ${reason}`);
        await appendAudit(writing, { action, subject: channel, details: { app: frozen, reason } });
      }
      return { body: { changed, freezes: await listFreezes(writing.transaction, channel) } };
    },
  });
}
