import type { ChannelName } from '@site/contract';
import type { GuardPolicies, GuardRequest } from '@site/contract/registry-calls/guard.calls';
import { appendAudit } from '../kernel/audit.repository.ts';
import { listPolicies, setPolicy, type SetPolicy } from './guard-policy.repository.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { requireApp } from '../channels/index.ts';
import { runChange } from '../kernel/run-change.ts';

export function setGuardPolicy(
  command: Command,
  channel: ChannelName,
  { app, mode, reason }: GuardRequest,
): Promise<Answer<GuardPolicies>> {
  const of = app ?? null;
  return runChange(command, {
    // The guard also takes this lock, so it never acts on an outdated policy.
    locks: { channels: [channel] },
    read: (db) => listPolicies(db, channel),
    decide: (policies) => ({
      changed: (policies.find((policy) => policy.app === of)?.mode ?? null) !== mode,
    }),
    async check(db) {
      if (app !== undefined) await requireApp(db, app);
    },
    async write(writing, { changed }) {
      if (changed) {
        await setPolicy(writing, channel, { app: of, mode, reason });
        await appendAudit(writing, {
          action: 'guard.policy',
          subject: channel,
          details: { app: of, mode, reason },
        });
      }
      const policies = await listPolicies(writing.transaction, channel);
      return { body: { changed, policies: policies.map(policyAnswer) } };
    },
  });
}

export const policyAnswer = ({ at, ...policy }: SetPolicy): GuardPolicies['policies'][number] => ({
  ...policy,
  at: at.toISOString(),
});
