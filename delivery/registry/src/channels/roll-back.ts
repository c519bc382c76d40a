import type { ChangeAnswer, ChannelName } from '@site/contract';
import { pickAuthorFields } from '@site/contract/author-fields';
import { GUARD_NAME } from '@site/contract/registry-calls/upkeep.calls';
import type { RollbackRequest } from '@site/contract/registry-calls/channel.calls';
import { type ChannelSnapshot, findChannel } from './channel.repository.ts';
import { formerVersions, foundBadSince, wasLive } from './live-version.repository.ts';
import { deleteQuarantine, insertQuarantine } from './quarantine.repository.ts';
import type { ReleasePlan, StoredRelease } from './release.repository.ts';
import { releasesRetiring, releasesWith } from './revocation.repository.ts';
import { queueAlert } from '../kernel/queue-alert.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { findStanding } from '../signals/index.ts';
import {
  findManifests,
  findVersion,
  versionName,
  type AppSet,
  leaveOut,
  toLiveSet,
  withApp,
  earlierVersions,
} from '../versions/index.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { registryErrors, versionUnknown } from '../kernel/registry-errors.ts';
import { mayReturn, requireKnown, restoreLeftOut } from './left-out-apps.ts';
import type { Answer, Command } from '../kernel/command.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { findFreeze, refuseFrozen, refuseQuarantined } from './refusals.ts';
import { lastGoodVersions } from './last-good-versions.ts';
import { channelMoved } from './make-releases.ts';
import { prepareRollback } from './prepare-release.ts';
import { retiredVersion } from './retire-app.ts';
import { type Outcome, runChange } from '../kernel/run-change.ts';
import {
  type CanaryRollback,
  refuseOtherTarget,
  resolveRollbackTarget,
  rollBackCanary,
  type RollbackTarget,
} from './rollback-target.ts';
import { applyRollback, endingCanaries, type ReadyRollback } from './rollback-plan.ts';

/** `ifLiveVersion`, `ifRetiredVersion`: the version that the author saw live or retired, if they named none. */
type Request = RollbackRequest & {
  ifLiveVersion?: string | undefined;
  ifRetiredVersion?: string | undefined;
};

/**
 * Quarantines the version and revokes every release that contains it. If it is live, a new live release restores a good
 * version. If it is a canary's, the canary ends. Canaries of other apps continue if they fit. A retired app returns
 * with its previous version.
 */
export function rollBack(
  command: Command,
  channel: ChannelName,
  request: Request,
): Promise<Answer<ChangeAnswer>> {
  const { reason } = request;
  let bad = request.from ?? request.ifLiveVersion;
  let ofRetired = request.ifRetiredVersion !== undefined;
  return runChange(command, {
    locks: { channels: [channel] },
    async read(db): Promise<Seen> {
      const snapshot = await findChannel(db, channel);
      const retired = retiredVersion(snapshot, request);
      if (retired) {
        const { version, parent } = retired;
        ofRetired = true;
        return { snapshot, meant: { version: null, parent, canary: null }, lastGood: version };
      }
      // A concurrent change restored the app; that version is not the one to remove.
      if (ofRetired) throw alreadyRestored(snapshot, request.app);
      // Pins the version to remove across restarts of this change.
      const meant = resolveRollbackTarget(snapshot, { ...request, bad });
      bad = meant.version;
      const lastGood =
        meant.canary || request.to !== undefined ? null : await findLastGood(db, meant.parent, request, bad);
      return { snapshot, meant, lastGood };
    },
    decide: (seen) => planOn(request, seen),
    async check(db, plan) {
      if (plan.what === 'restoration') await checkTarget(db, plan);
    },
    prepare: async (plan) =>
      plan.what === 'restoration' ? prepareChannel(command.context, plan, request) : null,
    hasMoved: async (transaction, plan, ready) =>
      (await channelMoved(transaction, plan.snapshot)) ||
      !(await mayReturn(transaction, channel, returning(plan, ready))),
    async write(writing, plan, ready) {
      const outcome = await (plan.what === 'canary'
        ? rollBackCanary(writing, plan, reason)
        : restoreGoodVersion(writing, plan, ready as ReadyRollback));
      if (command.actor.name !== GUARD_NAME) await alertRollback(writing, channel, plan, reason);
      return outcome;
    },
  });
}

/** The guard's rollbacks have alerts with their evidence. */
async function alertRollback(
  { transaction, by, at }: ChangeContext,
  channel: ChannelName,
  { app, version, ...plan }: Planned,
  reason: string,
): Promise<void> {
  if (version === null) return;
  const subject = versionName(app, version);
  const publisher = (await findVersion(transaction, app, version))?.published_by ?? 'unknown';
  const to = plan.what === 'canary' ? 'ended its canary' : `rolled it back to ${plan.to}`;
  const text =
    `${subject} on ${channel}: ${by} ${to}, for "${reason}". ` +
    `It was published by ${publisher}. It is quarantined; nothing is left to do.`;
  await queueAlert(transaction, { kind: 'rollback', state: 'happened', channel, subject, text }, at);
}

function alreadyRestored({ channel, live }: ChannelSnapshot, app: string) {
  const version = live?.release.apps[app];
  return registryErrors.version_not_live(
    `${app} is not retired on "${channel}" any ` +
      `more${version === undefined ? '' : `: ${versionName(app, version)} is live`}. Nothing was changed.`,
  );
}

interface Seen {
  snapshot: ChannelSnapshot;
  /** `version` null: the app is retired, and no version is removed. */
  meant: RollbackTarget | { version: null; parent: StoredRelease; canary: null };
  lastGood: string | null;
}

interface Restoration {
  what: 'restoration';
  snapshot: ChannelSnapshot;
  channel: ChannelName;
  app: string;
  version: string | null;
  to: string;
  force: boolean | undefined;
  release: ReleasePlan;
}

type Planned = Restoration | ({ what: 'canary' } & CanaryRollback);

function planOn(request: Request, { snapshot, meant, lastGood }: Seen): Planned {
  const { app, without = [], force } = request;
  if (meant.canary) {
    const { version } = meant;
    const canary = { what: 'canary' as const, ...request, version, snapshot, canary: meant.canary };
    refuseOtherTarget(canary);
    return canary;
  }
  const { version } = meant;
  const { release } = meant.parent;
  requireKnown(without, toLiveSet(release));
  const to = request.to ?? lastGood ?? version ?? '';
  return {
    what: 'restoration',
    snapshot,
    channel: snapshot.channel,
    app,
    version,
    to,
    force,
    release: {
      kind: 'rollback',
      ...withApp(leaveOut(toLiveSet(release), without), app, to),
      config: release.config,
      said: pickAuthorFields(request),
    },
  };
}

function returning(plan: Planned, ready: ReadyRollback | null): AppSet {
  if (plan.what === 'canary' || !ready) return {};
  const { apps } = ready.live;
  return Object.fromEntries(Object.entries(apps).filter(([app]) => !(app in plan.release.apps)));
}

async function prepareChannel(
  context: RegistryContext,
  { snapshot, channel, app, release }: Restoration,
  { without = [] }: Request,
): Promise<ReadyRollback> {
  const plan = app === 'shell' ? await restoreLeftOut(context, channel, release, without) : release;
  const live = await prepareRollback(context, plan, [app]);
  return { live, ends: await endingCanaries(context, snapshot, plan) };
}

async function restoreGoodVersion(
  writing: ChangeContext,
  { snapshot, channel, app, version, to, release: { said } }: Restoration,
  ready: ReadyRollback,
): Promise<Outcome<ChangeAnswer>> {
  const { transaction } = writing;
  const { reason } = said;
  await deleteQuarantine(writing, { app, version: to, reason });
  if (version !== null) await insertQuarantine(writing, { app, version, reason });
  // Tabs of the releases without it would still redirect its visitors.
  const revoked =
    version === null
      ? await releasesRetiring(transaction, channel, app)
      : await releasesWith(transaction, channel, app, version);
  return applyRollback(
    writing,
    { snapshot, ready, revoked, reason },
    {
      ...(version === null ? {} : { quarantined: { app, version } }),
      putBack: {
        app,
        version: to,
        proven: (await findStanding(transaction, channel, { app, version: to }))?.evidence ?? null,
      },
    },
  );
}

/** The most recent live version of the app that is not quarantined and fits the other live apps. */
async function findLastGood(
  db: RegistryDb,
  { release }: StoredRelease,
  { app, without = [] }: Request,
  bad: string,
): Promise<string> {
  const { channel } = release;
  const { apps } = leaveOut(toLiveSet(release), without);
  const history = (await formerVersions(db, channel, [app])).get(app) ?? [];
  // During a freeze, versions that were found bad are skipped as if still quarantined.
  const foundBad = (await findFreeze(db, channel, [app]))
    ? await foundBadSince(db, channel, app, earlierVersions(bad, history))
    : new Set<string>();
  const live = await findManifests(db, Object.entries({ ...apps, [app]: bad }));
  const usable = history.filter(({ version }) => !foundBad.has(version));
  const [lastGood] = await lastGoodVersions(db, [...live.values()], new Map([[app, usable]]));
  if (lastGood) return lastGood.version;
  if (foundBad.size > 0) await refuseFrozen(db, channel, [app]);
  throw registryErrors.no_good_version(
    `${app} has no earlier version on "${channel}" that fits the other live apps and is not quarantined.`,
  );
}

async function checkTarget(db: RegistryDb, { channel, app, version, to, force }: Restoration): Promise<void> {
  if (to === version) {
    throw registryErrors.no_good_version(`${versionName(app, to)} is already live.`);
  }
  if (!(await findVersion(db, app, to))) throw versionUnknown(app, to);
  if (!(await wasLive(db, channel, app, to))) {
    // A rollback must not bypass a freeze or the checks of an activation.
    throw registryErrors.version_never_live(`${versionName(app, to)} was never live on "${channel}".`);
  }
  if (!force) await refuseQuarantined(db, { [app]: to });
  // A version that was found bad is not a rollback target even if its quarantine was lifted; it counts as new.
  const isFrozen = (await findFreeze(db, channel, [app])) !== null;
  if (isFrozen && (await foundBadSince(db, channel, app, [to])).has(to))
    await refuseFrozen(db, channel, [app]);
}
