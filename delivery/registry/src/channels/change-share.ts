import { basisPoints, type ChangeAnswer, type ChannelName } from '@site/contract';
import type { ShareRequest } from '@site/contract/registry-calls/channel.calls';
import { appendAudit } from '../kernel/audit.repository.ts';
import { canaryShare, findChannel, updateCanary } from './channel.repository.ts';
import { channelChanged } from '../kernel/notices.ts';
import { toPercent } from '../signals/index.ts';
import { canaryChanges, canaryVersions, requireCanary, requireCanaryScope } from './canary.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { refuseFrozen, refuseQuarantined } from './refusals.ts';
import { runChange } from '../kernel/run-change.ts';

export function changeShare(
  command: Command,
  channel: ChannelName,
  { share, reason, ...named }: ShareRequest,
): Promise<Answer<ChangeAnswer>> {
  const after = basisPoints(share);
  return runChange(command, {
    locks: { channels: [channel] },
    read: (db) => findChannel(db, channel),
    decide(snapshot) {
      const canary = requireCanary(snapshot, named);
      requireCanaryScope(command.actor, canary);
      return { snapshot, canary };
    },
    async check(db, { canary }) {
      // Reducing the share is always allowed; raising it needs the checks of an activation.
      if (after <= canary.basisPoints) return;
      await refuseFrozen(db, channel, [canary.app]);
      await refuseQuarantined(db, canaryVersions(canary));
    },
    async write(writing, { snapshot, canary }) {
      const { release, basisPoints: before } = canary;
      const changed = after !== before;
      const body = {
        release,
        changed,
        rendered: 0,
        changes: canaryChanges(snapshot, canary),
        canary: canaryShare({ ...canary, basisPoints: after }),
      };
      if (!changed) return { body };
      await updateCanary(writing, canary, { basis_points: after });
      await appendAudit(writing, {
        action: 'canary.share',
        subject: release.id,
        details: { channel, from: toPercent(before), to: share, reason },
      });
      return { body, notices: [channelChanged(channel)] };
    },
  });
}
