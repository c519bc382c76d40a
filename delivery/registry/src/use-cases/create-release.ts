import type { Transaction } from 'kysely';
import { ApiError } from '@site/server/api-error';
import { basisPoints, type ChangeAnswer, type ChannelName } from '@site/contract';
import type { ReleaseRequest } from '@site/contract/registry-calls/channel.calls';
import { findChannel, type ChannelSnapshot } from '../database/channel.repository.ts';
import { release as releaseVersion } from '../database/quarantine.repository.ts';
import { findRelease, releaseNumber, type StoredRelease } from '../database/release.repository.ts';
import type { RegistryTables } from '../database/tables.ts';
import { findQuarantines } from '../database/version.repository.ts';
import { appChanges, applyChanges, changedApps, leaveOut, setOf, type AppSet } from '../domain/app-set.ts';
import { digest } from '../domain/canonical-json.ts';
import { registryErrors } from '../errors.ts';
import { requireKnown } from './absent-apps.ts';
import { canaryRunning, carryOver, runningCanary, type RunningCanary } from './canary.ts';
import { CHANNEL_MOVED, changeChannel, type ChannelChange } from './change-channel.ts';
import { checkActivatedForms } from './check-forms.ts';
import type { Actor, RegistryContext } from './context.ts';
import { refuseFrozen, refuseQuarantined } from './guards.ts';
import type { Answer, Remember } from './idempotency.ts';
import { prepareRelease, type ReleasePlan } from './prepare-release.ts';
import { loadReleaseSet } from './release-set.ts';
import { renderMissing } from './render-missing.ts';

/**
 * Makes versions live, or a canary of them. Without `parent` the request is taken to mean "on top of whatever is live":
 * when others change other apps at the same time, it is made again on top of theirs.
 */
export async function createRelease(
  context: RegistryContext,
  actor: Actor,
  channel: ChannelName,
  request: ReleaseRequest,
  remember: Remember,
): Promise<Answer<ChangeAnswer>> {
  const first = await findChannel(context.db, channel);
  if (request.parent !== undefined && request.parent !== first.stable?.release.id) {
    const theirs = await findRelease(context.db, releaseNumber(request.parent));
    throw parentOutdated(request.parent, first.stable, theirs);
  }
  for (let seen = first; ; seen = await findChannel(context.db, channel)) {
    if (seen.stable?.number !== first.stable?.number) checkMayRebase(request, first.stable, seen.stable);
    const plan = planOf(channel, request, seen.stable);
    if (
      seen.stable &&
      changesNothing(plan, seen.stable) &&
      !(await needsOtherFallback(context, seen.stable, request))
    ) {
      return standsAlready(context, seen, plan, request);
    }

    const changed = changedApps(seen.stable?.release.apps ?? {}, plan.apps);
    const refuse = async (db: RegistryContext['db']) => {
      await refuseFrozen(db, channel, changed);
      // Only what the request brings in is judged: what is live may be quarantined on behalf of another channel.
      if (!request.force) await refuseQuarantined(db, versionsOf(plan, changed));
    };
    await refuse(context.db);
    await checkActivatedForms(context, plan.apps, plan.config, seen.stable);
    const steps =
      request.share === undefined
        ? await activation(context, seen, plan, changed)
        : await canaryStart(context, seen, plan, changed, request.share);

    const answer = await changeChannel(context, {
      actor,
      seen,
      ...steps,
      dryRun: request.dryRun,
      remember,
      async before(transaction, at) {
        // Looked at again: it may have been frozen or quarantined while its pages were being rendered.
        await refuse(transaction);
        await liftQuarantines(transaction, versionsOf(plan, changed), { actor, at, reason: request.reason });
        return {};
      },
    });
    if (answer !== CHANNEL_MOVED) return answer;
  }
}

type Steps = Pick<ChannelChange, 'stable' | 'canary'>;

/** A new stable release. A canary of other apps goes on, on top of it. */
async function activation(
  context: RegistryContext,
  seen: ChannelSnapshot,
  plan: ReleasePlan,
  changed: readonly string[],
): Promise<Steps> {
  const running = runningCanary(seen);
  if (running) refuseSameChange(running, seen, plan, changed);
  const stable = await prepareRelease(context, seen.channel, plan, changed);
  if (!running) return { stable, canary: { step: 'none' } };
  const carried = await carryOver(context, running, plan);
  const release = await prepareRelease(context, seen.channel, carried, changed).catch((error: unknown) => {
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
  seen: ChannelSnapshot,
  plan: ReleasePlan,
  changed: readonly string[],
  share: number,
): Promise<Steps> {
  const running = runningCanary(seen);
  if (running) throw canaryRunning(running, 'a channel has one canary at a time');
  if (!seen.stable) {
    throw registryErrors.release_incomplete(
      `The first release of "${seen.channel}" cannot be a canary: the other visitors would see nothing.`,
      { source: { pointer: '/share' } },
    );
  }
  const release = await prepareRelease(context, seen.channel, plan, changed);
  return { stable: null, canary: { step: 'start', release, basisPoints: basisPoints(share) } };
}

/** Nothing to change; rendered pages that the store has lost are made again all the same. */
async function standsAlready(
  context: RegistryContext,
  { stable, canary }: ChannelSnapshot,
  { apps, config }: ReleasePlan,
  { dryRun }: ReleaseRequest,
): Promise<Answer<ChangeAnswer>> {
  const rendered = await renderMissing(context, await loadReleaseSet(context.db, apps), config);
  const body: ChangeAnswer = {
    release: (stable as StoredRelease).release,
    changed: false,
    rendered,
    changes: [],
    candidate: canary ? { release: canary.release.id, share: canary.basisPoints / 100 } : null,
    ...(dryRun ? { dryRun } : {}),
  };
  return { status: 200, body };
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
async function needsOtherFallback(
  { db }: RegistryContext,
  { release }: StoredRelease,
  { apps, share }: ReleaseRequest,
): Promise<boolean> {
  if (share !== undefined) return false;
  const fallbacks = Object.entries(release.lastGood).filter(([app]) => app in apps);
  return (await findQuarantines(db, Object.fromEntries(fallbacks))).length > 0;
}

function versionsOf({ apps }: ReleasePlan, changed: readonly string[]): AppSet {
  return Object.fromEntries(Object.entries(apps).filter(([app]) => changed.includes(app)));
}

async function liftQuarantines(
  transaction: Transaction<RegistryTables>,
  versions: AppSet,
  { actor, at, reason }: { actor: Actor; at: Date; reason: string },
): Promise<void> {
  for (const [app, version] of Object.entries(versions)) {
    await releaseVersion(transaction, { app, version, by: actor.name, at, reason });
  }
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
