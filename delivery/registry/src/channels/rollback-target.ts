import type { ChangeAnswer } from '@site/contract';
import type { ChannelSnapshot, StoredCanary } from './channel.repository.ts';
import type { StoredRelease } from './release.repository.ts';
import { versionName } from '../versions/index.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { toPercent } from '../signals/index.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import { endCanary } from './abort-canary.ts';
import { canaryVersion } from './canary.ts';
import { appNotLive } from './refusals.ts';
import type { Outcome } from '../kernel/run-change.ts';

export type RollbackTarget =
  | { version: string; parent: StoredRelease; canary: null }
  | { version: string; parent: StoredRelease | null; canary: StoredCanary };

interface Wish {
  app: string;
  bad: string | undefined;
  from?: string | undefined;
  live?: boolean | undefined;
}

/**
 * If a canary shows another version than the live release, only the author can decide.
 * @throws ApiError `rollback_unclear`, `version_not_live`, `app_unknown`.
 */
export function resolveRollbackTarget(
  snapshot: ChannelSnapshot,
  { app, bad, from, live }: Wish,
): RollbackTarget {
  const { channel, live: parent } = snapshot;
  // With --live, the rollback ignores the canary.
  const running = live ? undefined : snapshot.canaries.find((canary) => canary.app === app);
  // A left-out version was live, and can be rolled back permanently.
  const liveVersion = parent?.release.apps[app] ?? parent?.release.leftOut?.[app];
  const shown = running && canaryVersion(running);
  if (from === undefined && running && shown !== undefined && liveVersion !== undefined) {
    throw unclear(channel, app, running, { shown, live: liveVersion });
  }
  const version = bad ?? liveVersion ?? shown;
  if (version === undefined) {
    throw appNotLive(app, channel, parent);
  }
  if (running && version === shown) return { version, parent, canary: running };
  if (parent && version === liveVersion) return { version, parent, canary: null };
  const others = [
    ...(liveVersion === undefined ? [] : [`${versionName(app, liveVersion)} is`]),
    ...(running && shown !== undefined
      ? [`the canary ${running.release.id} shows ${versionName(app, shown)}`]
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
  canary: StoredCanary,
  { shown, live }: { shown: string; live: string },
) {
  const on = channel === 'production' ? '' : ` --channel ${channel}`;
  const endCommand = `npx @site/cli abort ${app} --quarantine --if-canary ${canary.release.id}${on} --reason "…"`;
  return registryErrors.rollback_unclear(
    `The canary ${canary.release.id} shows ${versionName(app, shown)} to ` +
      `${toPercent(canary.basisPoints)} % of the visitors; the others see ${versionName(app, live)}. ` +
      `To roll back ${versionName(app, shown)}: ${endCommand}. To roll back ` +
      `${versionName(app, live)}: npx @site/cli rollback ${app} --live${on} --reason "…".`,
  );
}

export interface CanaryRollback {
  app: string;
  version: string;
  to?: string | undefined;
  without?: readonly string[] | undefined;
  snapshot: ChannelSnapshot;
  canary: StoredCanary;
}

/** @throws ApiError `rollback_unclear` if the author requests another target than the live release. */
export function refuseOtherTarget({ app, version, to, without, snapshot, canary }: CanaryRollback): void {
  const liveVersion = snapshot.live?.release.apps[app];
  if ((to === undefined || to === liveVersion) && !without) return;
  throw registryErrors.rollback_unclear(
    `The canary ${canary.release.id} shows ${versionName(app, version)}: its visitors get ` +
      `${liveVersion === undefined ? `a site without ${app}` : versionName(app, liveVersion)}, ` +
      'like everyone else, whatever that is. Name it without "--to" and "--without".',
    { source: { pointer: without ? '/without' : '/to' } },
  );
}

export function rollBackCanary(
  writing: ChangeContext,
  { app, version, snapshot, canary }: CanaryRollback,
  reason: string,
): Promise<Outcome<ChangeAnswer>> {
  const because = `It showed ${versionName(app, version)}, which was rolled back.`;
  return endCanary(
    writing,
    { snapshot, canary, quarantine: true, reason },
    { canariesEnded: [{ release: canary.release.id, app, because }] },
  );
}
