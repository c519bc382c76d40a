import { ApiError } from '@site/server/api-error';
import { basisPoints, type ChangeAnswer, type ChannelName } from '@site/contract';
import type { ReleaseRequest } from '@site/contract/registry-calls/channel.calls';
import { findChannel, type ChannelSnapshot } from '../database/channel.repository.ts';
import { unquarantine } from '../database/quarantine.repository.ts';
import { findRelease, releaseNumber, type StoredRelease } from '../database/release.repository.ts';
import type { RegistryDb } from '../database/tables.ts';
import { findQuarantines } from '../database/version.repository.ts';
import { appChanges, applyChanges, changedApps, leaveOut, setOf, type AppSet } from '../domain/app-set.ts';
import { digest } from '../domain/canonical-json.ts';
import type { ReleasePlan } from '../domain/release-plan.ts';
import { registryErrors } from '../errors.ts';
import { requireKnown } from './absent-apps.ts';
import { canaryRunning, carryOver, runningCanary, type RunningCanary } from './canary.ts';
import { checkActivatedForms } from './check-forms.ts';
import type { Answer, Command } from './command.ts';
import type { RegistryContext } from './context.ts';
import { refuseFrozen, refuseQuarantined } from './guards.ts';
import { channelMoved, makeReleases, type ChannelSteps } from './make-releases.ts';
import { prepareRelease } from './prepare-release.ts';
import { loadReleaseSet } from './release-set.ts';
import { renderMissing } from './render-missing.ts';
import { runChange, type Outcome } from './run-change.ts';

/**
 * Makes versions live, or a canary of them. Without `parent` the request is taken to mean "on top of whatever is live":
 * when others change other apps at the same time, it is made again on top of theirs.
 */
export function createRelease(
  command: Command,
  channel: ChannelName,
  request: ReleaseRequest,
): Promise<Answer<ChangeAnswer>> {
  const { context } = command;
  let first: ChannelSnapshot | undefined;
  return runChange(command, {
    locks: { channels: [channel] },
    async read(db) {
      const live = await findChannel(db, channel);
      first ??= live;
      return {
        first,
        live,
        parent: request.parent === undefined ? null : await findRelease(db, releaseNumber(request.parent)),
        badFallbacks: await badFallbacks(db, live.stable, request),
      };
    },
    decide: (seen) => planOn(channel, request, seen),
    async check(db, { isStanding, changed, plan }) {
      if (isStanding) return;
      await refuseFrozen(db, channel, changed);
      // Only what the request brings in is judged: what is live may be quarantined on behalf of another channel.
      if (!request.force) await refuseQuarantined(db, versionsOf(plan, changed));
    },
    async prepare(planned) {
      const { live, plan, isStanding } = planned;
      // Rendered pages that the store has lost are made again all the same.
      if (isStanding) return renderAgain(context, plan);
      await checkActivatedForms(context, plan.apps, plan.config, live.stable);
      return request.share === undefined
        ? activation(context, planned)
        : canaryStart(context, planned, request.share);
    },
    hasMoved: (transaction, { live }) => channelMoved(transaction, live),
    async write(writing, { live, plan, changed }, ready) {
      if ('rendered' in ready) return standsAlready(live, ready.rendered);
      for (const [app, version] of Object.entries(versionsOf(plan, changed))) {
        await unquarantine(writing, { app, version, reason: request.reason });
      }
      return makeReleases(writing, { live, ...ready });
    },
  });
}

interface Seen {
  /** What was live when the request came. */
  first: ChannelSnapshot;
  live: ChannelSnapshot;
  /** The release that the author saw. */
  parent: StoredRelease | null;
  badFallbacks: readonly unknown[];
}

interface Planned {
  live: ChannelSnapshot;
  plan: ReleasePlan;
  /** The apps whose versions visitors do not have yet. */
  changed: readonly string[];
  /** All of it is live already. */
  isStanding: boolean;
}

/** @throws ApiError `parent_outdated`, `release_incomplete`, `app_unknown`. */
function planOn(
  channel: ChannelName,
  request: ReleaseRequest,
  { first, live, parent, badFallbacks: bad }: Seen,
): Planned {
  const { stable } = live;
  if (request.parent !== undefined && request.parent !== first.stable?.release.id) {
    throw parentOutdated(request.parent, first.stable, parent);
  }
  if (stable?.number !== first.stable?.number) checkMayRebase(request, first.stable, stable);
  const plan = planOf(channel, request, stable);
  return {
    live,
    plan,
    changed: changedApps(stable?.release.apps ?? {}, plan.apps),
    isStanding: stable !== null && changesNothing(plan, stable) && bad.length === 0,
  };
}

type Steps = Pick<ChannelSteps, 'stable' | 'canary'>;

/** A new stable release. A canary of other apps goes on, on top of it. */
async function activation(context: RegistryContext, { live, plan, changed }: Planned): Promise<Steps> {
  const running = runningCanary(live);
  if (running) refuseSameChange(running, live, plan, changed);
  const stable = await prepareRelease(context, live.channel, plan, changed);
  if (!running) return { stable, canary: { step: 'none' } };
  const carried = await carryOver(context, running, plan);
  const release = await prepareRelease(context, live.channel, carried, changed).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    throw canaryRunning(running, `it cannot go on beside this (${error.detail})`);
  });
  return { stable, canary: { step: 'carry', release } };
}

function refuseSameChange(
  running: RunningCanary,
  { stable }: ChannelSnapshot,
  plan: ReleasePlan,
  changed: readonly string[],
): void {
  const same = changed.filter((app) => app in running.versions);
  if (same.length > 0) throw canaryRunning(running, `this would also change ${same.join(', ')}`);
  if (running.changesConfig && digest(plan.config) !== stable?.configDigest) {
    throw canaryRunning(running, 'both would change the configuration');
  }
}

async function canaryStart(
  context: RegistryContext,
  { live, plan, changed }: Planned,
  share: number,
): Promise<Steps> {
  const running = runningCanary(live);
  if (running) throw canaryRunning(running, 'a channel has one canary at a time');
  if (!live.stable) {
    throw registryErrors.release_incomplete(
      `The first release of "${live.channel}" cannot be a canary: the other visitors would see nothing.`,
      { source: { pointer: '/share' } },
    );
  }
  const release = await prepareRelease(context, live.channel, plan, changed);
  return { stable: null, canary: { step: 'start', release, basisPoints: basisPoints(share) } };
}

async function renderAgain(
  context: RegistryContext,
  { apps, config }: ReleasePlan,
): Promise<{ rendered: number }> {
  return { rendered: await renderMissing(context, await loadReleaseSet(context.db, apps), config) };
}

function standsAlready({ stable, canary }: ChannelSnapshot, rendered: number): Outcome<ChangeAnswer> {
  return {
    body: {
      release: (stable as StoredRelease).release,
      changed: false,
      rendered,
      changes: [],
      candidate: canary ? { release: canary.release.id, share: canary.basisPoints / 100 } : null,
    },
  };
}

function planOf(
  channel: ChannelName,
  { apps, without = [], config: wanted, reason }: ReleaseRequest,
  parent: StoredRelease | null,
): ReleasePlan {
  const config = wanted ?? parent?.release.config;
  if (!config) {
    throw registryErrors.release_incomplete(
      `The first release of "${channel}" needs the configuration of the site.`,
      {
        source: { pointer: '/config' },
      },
    );
  }
  const before = setOf(parent?.release);
  requireKnown(without, before);
  return { kind: 'activate', ...leaveOut(applyChanges(before, apps), without), config, reason };
}

function changesNothing({ apps, config }: ReleasePlan, { release, configDigest }: StoredRelease): boolean {
  return changedApps(release.apps, apps).length === 0 && digest(config) === configDigest;
}

/**
 * A version that was quarantined since may be what browsers fall back to. Activating what is live makes the same
 * release once more, with another fallback.
 */
async function badFallbacks(
  db: RegistryDb,
  stable: StoredRelease | null,
  { apps, share }: ReleaseRequest,
): Promise<readonly unknown[]> {
  if (share !== undefined || !stable) return [];
  const fallbacks = Object.entries(stable.release.lastGood).filter(([app]) => app in apps);
  return findQuarantines(db, Object.fromEntries(fallbacks));
}

function versionsOf({ apps }: ReleasePlan, changed: readonly string[]): AppSet {
  return Object.fromEntries(Object.entries(apps).filter(([app]) => changed.includes(app)));
}

/** Others were faster. Changes of other apps stand beside ours; a change of the same app must be looked at. */
function checkMayRebase(
  request: ReleaseRequest,
  seen: StoredRelease | null,
  current: StoredRelease | null,
): void {
  const theirs = changedApps(seen?.release.apps ?? {}, current?.release.apps ?? {});
  const overlaps = theirs.some((app) => app in request.apps || request.without?.includes(app));
  const bothConfigs = request.config !== undefined && seen?.configDigest !== current?.configDigest;
  if (request.parent !== undefined || overlaps || bothConfigs) {
    throw parentOutdated(seen?.release.id ?? 'none', current, seen);
  }
}

function parentOutdated(parent: string, current: StoredRelease | null, seen: StoredRelease | null) {
  const live = current ? `"${current.release.id}" by ${current.release.by}` : 'no release';
  const changes = seen && current ? appChanges(seen.release.apps, current.release.apps) : [];
  const difference = [
    ...changes.map(({ app, from, to }) => `${app} ${from ?? 'none'} → ${to ?? 'none'}`),
    ...(seen && current && seen.configDigest !== current.configDigest ? ['the configuration'] : []),
  ].join(', ');
  return registryErrors.parent_outdated(
    `The parent is "${parent}", but ${live} is live${difference ? ` (${difference})` : ''}.`,
    { source: { pointer: '/parent' } },
  );
}
