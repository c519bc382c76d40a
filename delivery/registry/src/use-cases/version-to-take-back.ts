import type { ChangeAnswer } from '@site/contract';
import type { ChannelSnapshot, StoredCanary } from '../database/channel.repository.ts';
import type { Quarantine } from '../database/quarantine.repository.ts';
import type { StoredRelease } from '../database/release.repository.ts';
import { versionName } from '../database/version.repository.ts';
import type { Writing } from '../database/writing.ts';
import { shareOf } from '../domain/canary-share.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import { endCanary } from './abort-canary.ts';
import { runningCanary, type RunningCanary } from './canary.ts';
import { appNotLive } from './refusals.ts';
import type { Outcome } from './run-change.ts';

/** Whom a rollback takes a version away from. */
export type VersionMeant =
  | { version: string; parent: StoredRelease; canary: null }
  | { version: string; parent: StoredRelease | null; canary: StoredCanary };

interface Wish {
  app: string;
  /** The version that is to go, if that is known. */
  bad: string | undefined;
  /** The version that the author named. */
  from?: string | undefined;
  live?: boolean | undefined;
}

/**
 * Which version of an app a rollback means: while a canary shows another one than the live release, only the author
 * can know.
 *
 * @throws ApiError `rollback_unclear`, `version_not_live`, `app_unknown`.
 */
export function versionMeant(snapshot: ChannelSnapshot, { app, bad, from, live }: Wish): VersionMeant {
  const { channel, live: parent } = snapshot;
  const running = runningCanary(snapshot);
  // What is left out was live, and can be taken back for good.
  const liveVersion = parent?.release.apps[app] ?? parent?.release.leftOut?.[app];
  // With --live the rollback ignores the canary.
  const shown = live ? undefined : running?.versions[app];
  if (from === undefined && running && shown !== undefined && liveVersion !== undefined) {
    throw unclear(channel, app, running, { shown, live: liveVersion });
  }
  const version = bad ?? liveVersion ?? shown;
  if (version === undefined) {
    throw appNotLive(app, channel, parent);
  }
  if (running && version === shown) return { version, parent, canary: running.canary };
  if (parent && version === liveVersion) return { version, parent, canary: null };
  const others = [
    ...(liveVersion === undefined ? [] : [`${versionName(app, liveVersion)} is`]),
    ...(running && shown !== undefined
      ? [`the canary ${running.canary.release.id} shows ${versionName(app, shown)}`]
      : []),
  ];
  const instead = others.length > 0 ? others.join(', and ') : `no version of ${app} is`;
  throw registryErrors.version_not_live(
    `${versionName(app, version)} is not live on "${channel}": ${instead}.`,
  );
}

function unclear(
  channel: string,
  app: string,
  { canary, versions }: RunningCanary,
  { shown, live }: { shown: string; live: string },
) {
  const on = channel === 'production' ? '' : ` --channel ${channel}`;
  const isAlone = Object.keys(versions).length === 1;
  const endCommand = isAlone
    ? `npx site abort --quarantine --if-canary ${canary.release.id}${on} --reason "…"`
    : // Aborting would quarantine what the canary shows of other apps as well.
      `npx site rollback ${versionName(app, shown)}${on} --reason "…"`;
  return registryErrors.rollback_unclear(
    `The canary ${canary.release.id} shows ${versionName(app, shown)} to ${shareOf(canary.basisPoints)} % of the visitors, and the others see ${versionName(app, live)}. To take away ${versionName(app, shown)}: ${endCommand}. To take away ${versionName(app, live)}: npx site rollback ${app} --live${on} --reason "…".`,
  );
}

export interface CanaryToTakeBack {
  app: string;
  version: string;
  to?: string | undefined;
  without?: readonly string[] | undefined;
  snapshot: ChannelSnapshot;
  canary: StoredCanary;
}

/**
 * Its visitors go back to what the others see all the time, and only the version that was named is quarantined.
 *
 * @throws ApiError `rollback_unclear` when the author wants something else for them.
 */
export function refuseOtherTarget({ app, version, to, without, snapshot, canary }: CanaryToTakeBack): void {
  const liveVersion = snapshot.live?.release.apps[app];
  if ((to === undefined || to === liveVersion) && !without) return;
  throw registryErrors.rollback_unclear(
    `The canary ${canary.release.id} shows ${versionName(app, version)}: its visitors get ${liveVersion === undefined ? `a site without ${app}` : versionName(app, liveVersion)}, like everyone else, whatever that is. Name it without "--to" and "--without".`,
    { source: { pointer: without ? '/without' : '/to' } },
  );
}

export function takeBackCanary(
  writing: Writing,
  { app, version, snapshot, canary }: CanaryToTakeBack,
  reason: string,
  alsoBad: readonly Quarantine[] = [],
): Promise<Outcome<ChangeAnswer>> {
  const quarantined = [{ app, version, reason }, ...alsoBad];
  return endCanary(
    writing,
    { snapshot, canary, quarantined, reason },
    {
      quarantinedVersions: quarantined.map((each) => ({ app: each.app, version: each.version })),
      canaryEnded: {
        release: canary.release.id,
        because: `It showed ${versionName(app, version)}, which was rolled back.`,
      },
    },
  );
}
