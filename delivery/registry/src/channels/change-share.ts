import { basisPoints, type ChangeAnswer, type ChannelName } from '@site/contract';
import type { ShareRequest } from '@site/contract/registry-calls/channel.calls';
import { appendAudit } from '../kernel/audit.repository.ts';
import { movePointers } from './channel.repository.ts';
import { channelChanged } from '../kernel/notices.ts';
import { appChanges } from '../versions/index.ts';
import { toPercent } from '../signals/index.ts';
import { readCanary, requireCanary, requireCanaryScopes } from './canary.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { refuseFrozen, refuseQuarantined } from './refusals.ts';
import { runChange } from '../kernel/run-change.ts';

export function changeShare(
  command: Command,
  channel: ChannelName,
  { share, reason, ifCanary }: ShareRequest,
): Promise<Answer<ChangeAnswer>> {
  const after = basisPoints(share);
  return runChange(command, {
    locks: { channels: [channel] },
    read: (db) => readCanary(db, channel, ifCanary),
    decide(seen) {
      const running = requireCanary(seen);
      requireCanaryScopes(command.actor, running);
      const { release, basisPoints: before } = running.canary;
      const changes = appChanges(seen.snapshot.live?.release.apps ?? {}, release.apps);
      return { release, before, changes, versions: running.versions };
    },
    async check(db, { before, versions }) {
      // Reducing the share is always allowed; raising it needs the checks of an activation.
      if (after <= before) return;
      await refuseFrozen(db, channel, Object.keys(versions));
      await refuseQuarantined(db, versions);
    },
    async write(writing, { release, before, changes }) {
      const changed = after !== before;
      const body = { release, changed, rendered: 0, changes, canary: { release: release.id, share } };
      if (!changed) return { body };
      await movePointers(writing.transaction, channel, { canary_basis_points: after });
      await appendAudit(writing, {
        action: 'canary.share',
        subject: release.id,
        details: { channel, from: toPercent(before), to: share, reason },
      });
      return { body, notices: [channelChanged(channel)] };
    },
  });
}
