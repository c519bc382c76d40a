import type { ChangeAnswer, ChannelName } from '@site/contract';
import { pickAuthorFields } from '@site/contract/author-fields';
import type { PromotionRequest } from '@site/contract/registry-calls/channel.calls';
import { toLiveSet, refuseReserved } from '../versions/index.ts';
import type { ReleasePlan } from './release.repository.ts';
import { readCanary, requireCanary, requireCanaryScopes } from './canary.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { refuseFrozen, refuseQuarantined } from './refusals.ts';
import { channelMoved, makeReleases } from './make-releases.ts';
import { prepareRelease } from './prepare-release.ts';
import { runChange } from '../kernel/run-change.ts';

export function promoteCanary(
  command: Command,
  channel: ChannelName,
  request: PromotionRequest,
): Promise<Answer<ChangeAnswer>> {
  let meant = request.ifCanary;
  return runChange(command, {
    locks: { channels: [channel] },
    async read(db) {
      const seen = await readCanary(db, channel, meant);
      // Pins the canary across restarts of this change.
      meant ??= seen.snapshot.canary?.release.id;
      return seen;
    },
    decide(seen) {
      const running = requireCanary(seen);
      requireCanaryScopes(command.actor, running);
      const { release } = running.canary;
      // The canary is always based on the live release, so these are its changes on top of it.
      const plan: ReleasePlan = {
        kind: 'promote',
        ...toLiveSet(release),
        config: release.config,
        // Everything else was specified when the canary began.
        said: { ...pickAuthorFields(release), reason: request.reason },
      };
      return { snapshot: seen.snapshot, versions: running.versions, plan };
    },
    async check(db, { versions }) {
      await refuseFrozen(db, channel, Object.keys(versions));
      await refuseQuarantined(db, versions);
      await refuseReserved(db, versions);
    },
    prepare: ({ plan, versions }) => prepareRelease(command.context, channel, plan, Object.keys(versions)),
    hasMoved: (transaction, { snapshot }) => channelMoved(transaction, snapshot),
    write: (writing, { snapshot }, live) =>
      makeReleases(writing, { snapshot, live, canary: { step: 'end' } }),
  });
}
