import type { ChangeAnswer, ChannelName } from '@site/contract';
import { pickAuthorFields } from '@site/contract/author-fields';
import type { PromotionRequest } from '@site/contract/registry-calls/channel.calls';
import { toLiveSet, refuseReserved } from '../versions/index.ts';
import { findChannel } from './channel.repository.ts';
import type { ReleasePlan, StoredRelease } from './release.repository.ts';
import {
  canaryVersions,
  prepareCanaries,
  requireCanary,
  requireCanaryScope,
  withCanaries,
} from './canary.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { refuseFrozen, refuseQuarantined } from './refusals.ts';
import { channelMoved, makeReleases } from './make-releases.ts';
import { prepareRelease } from './prepare-release.ts';
import { runChange } from '../kernel/run-change.ts';

export function promoteCanary(
  command: Command,
  channel: ChannelName,
  { app, ifCanary, reason }: PromotionRequest,
): Promise<Answer<ChangeAnswer>> {
  const { context, actor } = command;
  let named = { app, ifCanary };
  return runChange(command, {
    locks: { channels: [channel] },
    read: (db) => findChannel(db, channel),
    decide(snapshot) {
      const canary = requireCanary(snapshot, named);
      requireCanaryScope(actor, canary);
      // Pins the canary across restarts of this change.
      named = { app, ifCanary: canary.release.id };
      // A canary starts only if there is a live release.
      const { release } = snapshot.live as StoredRelease;
      const plan: ReleasePlan = {
        kind: 'promote',
        ...withCanaries({ ...toLiveSet(release), config: release.config }, [canary]),
        // Everything else was specified when the canary began.
        said: { ...pickAuthorFields(canary.release), reason },
      };
      return { snapshot, canary, versions: canaryVersions(canary), plan };
    },
    async check(db, { canary, versions }) {
      await refuseFrozen(db, channel, [canary.app]);
      await refuseQuarantined(db, versions);
      await refuseReserved(db, versions);
    },
    async prepare({ snapshot, canary, plan, versions }) {
      const changed = Object.keys(versions);
      const live = await prepareRelease(context, channel, plan, changed);
      const canaries = snapshot.canaries.filter((other) => other !== canary);
      const rendered = await prepareCanaries(context, plan, { canaries, changed });
      return { ...live, rendered: live.rendered + rendered };
    },
    hasMoved: (transaction, { snapshot }) => channelMoved(transaction, snapshot),
    write: (writing, { snapshot, canary }, live) =>
      makeReleases(writing, { snapshot, live, ended: [canary] }),
  });
}
