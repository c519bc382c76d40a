import { type ChangeAnswer, type ChannelName, releaseNumber } from '@site/contract';
import { pickAuthorFields } from '@site/contract/author-fields';
import type { ConfigRollbackRequest } from '@site/contract/registry-calls/channel.calls';
import { type ChannelSnapshot, findChannel } from './channel.repository.ts';
import {
  configStanding,
  findOtherConfig,
  findRelease,
  type ReleasePlan,
  type StoredRelease,
} from './release.repository.ts';
import { releasesConfigured } from './revocation.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { toLiveSet } from '../versions/index.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { channelMoved } from './make-releases.ts';
import { prepareRollback } from './prepare-release.ts';
import { refuseFrozen } from './refusals.ts';
import { runChange } from '../kernel/run-change.ts';
import { applyRollback, endingCanaries } from './rollback-plan.ts';

/** Like the shell, the configuration affects every page. */
const ALL_PAGES = 'shell';

type Request = ConfigRollbackRequest & { ifLiveRelease: string | undefined };

/**
 * Keeps the live versions. Their pages are already rendered, unless a version was published after that configuration
 * was replaced. Every release with the current configuration is revoked.
 */
export function rollBackConfig(
  command: Command,
  channel: ChannelName,
  request: Request,
): Promise<Answer<ChangeAnswer>> {
  const { context } = command;
  const { to, ifLiveRelease, reason } = request;
  let bad: string | undefined;
  return runChange(command, {
    locks: { channels: [channel] },
    async read(db) {
      const snapshot = await findChannel(db, channel);
      const { live } = snapshot;
      if (ifLiveRelease !== undefined)
        bad ??= (await findRelease(db, releaseNumber(ifLiveRelease)))?.configDigest ?? '';
      // Pins the configuration to remove across restarts of this change.
      bad ??= live?.configDigest;
      if (bad !== live?.configDigest) throw otherConfig(channel, live);
      if (to !== undefined) return { snapshot, previous: await findRelease(db, releaseNumber(to)) };
      return { snapshot, previous: live && (await findOtherConfig(db, channel, live)) };
    },
    decide: (seen) => planOn(channel, request, seen),
    check: (db, { previous }) => checkTarget(db, channel, previous),
    async prepare({ snapshot, plan }) {
      const live = await prepareRollback(context, plan, [ALL_PAGES]);
      return { live, ends: await endingCanaries(context, snapshot, plan) };
    },
    hasMoved: (transaction, { snapshot }) => channelMoved(transaction, snapshot),
    async write(writing, { snapshot, gone }, ready) {
      const revoked = await releasesConfigured(writing.transaction, channel, gone.configDigest);
      return applyRollback(writing, { snapshot, ready, revoked, reason }, {});
    },
  });
}

function otherConfig(channel: ChannelName, live: StoredRelease | null) {
  return registryErrors.config_not_live(
    `The configuration to roll back is no longer live on "${channel}": ` +
      `${live ? `that of ${live.release.id} by ${live.release.by} is` : 'nothing is live'}. ` +
      'Nothing was changed.',
  );
}

function planOn(
  channel: ChannelName,
  request: ConfigRollbackRequest,
  { snapshot, previous }: { snapshot: ChannelSnapshot; previous: StoredRelease | null },
): { snapshot: ChannelSnapshot; gone: StoredRelease; previous: StoredRelease; plan: ReleasePlan } {
  const { live } = snapshot;
  const { to } = request;
  const at = to === undefined ? {} : { source: { pointer: '/to' } };
  if (to !== undefined && previous?.release.channel !== channel) {
    throw registryErrors.release_unknown(`There is no release "${to}" on "${channel}".`, at);
  }
  if (!live || !previous) {
    throw registryErrors.no_former_config(
      `"${channel}" has no earlier configuration that was not rolled back.`,
    );
  }
  if (previous.configDigest === live.configDigest) {
    throw registryErrors.no_former_config(
      `The configuration of ${previous.release.id} is live on "${channel}" already.`,
      at,
    );
  }
  const { config } = previous.release;
  return {
    snapshot,
    gone: live,
    previous,
    plan: { kind: 'rollback', ...toLiveSet(live.release), config, said: pickAuthorFields(request) },
  };
}

/** A rollback must not bypass a freeze or the checks of an activation. */
async function checkTarget(
  db: RegistryDb,
  channel: ChannelName,
  { release, configDigest }: StoredRelease,
): Promise<void> {
  const { wasLive, foundBad } = await configStanding(db, channel, configDigest);
  if (!wasLive) {
    throw registryErrors.no_former_config(
      `The configuration of ${release.id} was never live for everyone on "${channel}".`,
      { source: { pointer: '/to' } },
    );
  }
  if (foundBad) await refuseFrozen(db, channel, []);
}
