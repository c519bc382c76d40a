import { releaseNumber, type ChangeAnswer, type ChannelName } from '@site/contract';
import { authorFieldsOf } from '@site/contract/author-fields';
import type { ConfigRollbackRequest } from '@site/contract/registry-calls/channel.calls';
import { findChannel, type ChannelSnapshot } from '../database/channel.repository.ts';
import {
  configStanding,
  findOtherConfig,
  findRelease,
  type StoredRelease,
} from '../database/release.repository.ts';
import { releasesConfigured } from '../database/revocation.repository.ts';
import type { RegistryDb } from '../database/tables.ts';
import { setOf } from '../domain/app-set.ts';
import type { ReleasePlan } from '../domain/release-plan.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import type { Answer, Command } from './command.ts';
import { channelMoved } from './make-releases.ts';
import { prepareWayBack } from './prepare-release.ts';
import { refuseFrozen } from './refusals.ts';
import { runChange } from './run-change.ts';
import { canaryAfter, makeWayBack } from './way-back.ts';

/** Every page is rendered with the configuration, as it is with the shell. */
const ALL_PAGES = 'shell';

/** `ifLiveRelease`: the release that the author saw live. */
type Request = ConfigRollbackRequest & { ifLiveRelease: string | undefined };

/**
 * Puts back the configuration of an earlier release; the versions that are live stay. Their pages are rendered already, unless
 * a version came after that configuration had gone. Every release with the one that goes is revoked.
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
      // Once seen, the configuration that goes stays the same, however often this starts again.
      bad ??= live?.configDigest;
      if (bad !== live?.configDigest) throw otherConfig(channel, live);
      if (to !== undefined) return { snapshot, former: await findRelease(db, releaseNumber(to)) };
      return { snapshot, former: live && (await findOtherConfig(db, channel, live)) };
    },
    decide: (seen) => planOn(channel, request, seen),
    check: (db, { former }) => checkTarget(db, channel, former),
    async prepare({ snapshot, plan }) {
      const live = await prepareWayBack(context, plan, [ALL_PAGES]);
      return { live, ...(await canaryAfter(context, snapshot, plan, ALL_PAGES)) };
    },
    hasMoved: (transaction, { snapshot }) => channelMoved(transaction, snapshot),
    async write(writing, { snapshot, gone }, ready) {
      const revoked = await releasesConfigured(writing.transaction, channel, gone.configDigest);
      return makeWayBack(writing, { snapshot, ready, revoked, reason }, {});
    },
  });
}

function otherConfig(channel: ChannelName, live: StoredRelease | null) {
  return registryErrors.config_not_live(
    `The configuration that was to go is not live on "${channel}" any more: ${live ? `that of ${live.release.id} by ${live.release.by} is` : 'nothing is live'}. Nothing was changed.`,
  );
}

/** @throws ApiError `release_unknown`, `no_former_config`. */
function planOn(
  channel: ChannelName,
  request: ConfigRollbackRequest,
  { snapshot, former }: { snapshot: ChannelSnapshot; former: StoredRelease | null },
): { snapshot: ChannelSnapshot; gone: StoredRelease; former: StoredRelease; plan: ReleasePlan } {
  const { live } = snapshot;
  const { to } = request;
  const at = to === undefined ? {} : { source: { pointer: '/to' } };
  if (to !== undefined && former?.release.channel !== channel) {
    throw registryErrors.release_unknown(`There is no release "${to}" on "${channel}".`, at);
  }
  if (!live || !former) {
    throw registryErrors.no_former_config(
      `"${channel}" had no other configuration before that was not taken back.`,
    );
  }
  if (former.configDigest === live.configDigest) {
    throw registryErrors.no_former_config(
      `The configuration of ${former.release.id} is live on "${channel}" already.`,
      at,
    );
  }
  const { config } = former.release;
  return {
    snapshot,
    gone: live,
    former,
    plan: { kind: 'rollback', ...setOf(live.release), config, said: authorFieldsOf(request) },
  };
}

/**
 * A rollback is no way around a freeze, nor around the checks of an activation.
 *
 * @throws ApiError `no_former_config`, `frozen`.
 */
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
  // Like a version that was rolled back: it goes live again like anything new.
  if (foundBad) await refuseFrozen(db, channel, []);
}
