import {
  basisPoints,
  brandProblems,
  CONFIGURATION,
  type ChangeAnswer,
  type ChannelName,
  releaseNumber,
  type SiteConfig,
} from '@site/contract';
import { pickAuthorFields } from '@site/contract/author-fields';
import type { ReleaseRequest } from '@site/contract/registry-calls/channel.calls';
import { type ChannelSnapshot, findChannel } from './channel.repository.ts';
import { deleteQuarantine, findQuarantines } from './quarantine.repository.ts';
import { findRelease, type ReleasePlan, type StoredRelease } from './release.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { beginStages } from '../signals/index.ts';
import {
  applyChanges,
  type AppSet,
  changedApps,
  leaveOut,
  toLiveSet,
  checkActivatedForms,
  refuseReserved,
} from '../versions/index.ts';
import { digest } from '../kernel/canonical-json.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import { activation, type PlannedChange, type Steps } from './activation.ts';
import { requireKnown } from './left-out-apps.ts';
import { canaryRunning, prepareCanaries } from './canary.ts';
import type { Answer, Command } from '../kernel/command.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { parentOutdated, refuseFrozen, refuseQuarantined } from './refusals.ts';
import { channelMoved, makeReleases } from './make-releases.ts';
import { prepareSet } from './prepare-release.ts';
import { loadReleaseSet, renderMissing, findRenderedPages } from '../pages/index.ts';
import { repackPages } from './repair-pages.ts';
import { type Outcome, runChange } from '../kernel/run-change.ts';

/**
 * Without `ifLive`, the change applies to whatever is live: if others change other apps concurrently, it is rebased.
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
      const snapshot = await findChannel(db, channel);
      first ??= snapshot;
      return {
        first,
        snapshot,
        parent: request.ifLive === undefined ? null : await findRelease(db, releaseNumber(request.ifLive)),
        badFallbacks: await badFallbacks(db, snapshot.live, request),
      };
    },
    decide: (seen) => planOn(channel, request, seen),
    async check(db, { isUnchanged, changed, plan }) {
      if (isUnchanged) return;
      await refuseFrozen(db, channel, changed);
      // Checks only the request's own changes: live versions may be quarantined because of another channel.
      const brought = selectVersions(plan, changed);
      if (!request.force) await refuseQuarantined(db, brought);
      await refuseReserved(db, brought);
    },
    async prepare(planned) {
      const { snapshot, plan, isUnchanged } = planned;
      // Re-render pages that the store has lost.
      if (isUnchanged) return renderAgain(context, plan);
      refuseBrand(plan.config);
      await checkActivatedForms(context, plan.apps, plan.config, snapshot.live);
      return request.share === undefined
        ? activation(context, planned)
        : canaryStart(context, planned, request.share);
    },
    hasMoved: (transaction, { snapshot }) => channelMoved(transaction, snapshot),
    async write(writing, { snapshot, plan, changed }, ready) {
      if ('rendered' in ready) return unchangedAnswer(snapshot, ready.rendered);
      for (const [app, version] of Object.entries(selectVersions(plan, changed))) {
        await deleteQuarantine(writing, { app, version, reason: request.reason });
      }
      const made = await makeReleases(writing, { snapshot, ...ready });
      const { canary } = made.body;
      if (request.stages && canary) await beginStages(writing, channel, canary, request.stages);
      return made;
    },
  });
}

interface Seen {
  first: ChannelSnapshot;
  snapshot: ChannelSnapshot;
  parent: StoredRelease | null;
  badFallbacks: readonly unknown[];
}

interface Planned extends PlannedChange {
  isUnchanged: boolean;
}

function planOn(
  channel: ChannelName,
  request: ReleaseRequest,
  { first, snapshot, parent, badFallbacks: bad }: Seen,
): Planned {
  const { live } = snapshot;
  if (request.ifLive !== undefined && request.ifLive !== first.live?.release.id) {
    throw parentOutdated(request.ifLive, first.live, parent);
  }
  if (live?.number !== first.live?.number) checkMayRebase(request, first.live, live);
  const plan = createPlan(channel, request, live);
  return {
    snapshot,
    plan,
    changed: changedApps(live?.release.apps ?? {}, plan.apps),
    isUnchanged: live !== null && changesNothing(plan, live) && bad.length === 0,
  };
}

async function canaryStart(
  context: RegistryContext,
  { snapshot: { channel, live, canaries }, plan, changed: [changed] }: Planned,
  share: number,
): Promise<Steps> {
  const app = changed ?? CONFIGURATION;
  const own = canaries.find((running) => running.app === app);
  if (own) throw canaryRunning(own, 'an app has one canary at a time');
  if (!live) {
    throw registryErrors.release_incomplete(
      `The first release of "${channel}" cannot be a canary: the other visitors would see nothing.`,
      { source: { pointer: '/share' } },
    );
  }
  const versions = changed === undefined ? [] : [changed];
  const release = await prepareSet(context, plan, versions);
  const points = basisPoints(share);
  const started = { app, basisPoints: points, ...plannedRelease(plan, live) };
  const rendered = await prepareCanaries(
    context,
    { ...plan, ...toLiveSet(live.release), config: live.release.config },
    {
      canaries: [...canaries, started],
      changed: [app],
      isNew: (set) => set.length > 1 && set.includes(started),
    },
  );
  return {
    live: null,
    started: { release: { ...release, rendered: release.rendered + rendered }, app, basisPoints: points },
  };
}

async function renderAgain(
  context: RegistryContext,
  { apps, config }: ReleasePlan,
): Promise<{ rendered: number }> {
  const set = await loadReleaseSet(context.db, apps);
  const rendered = await renderMissing(context, set, config, { looksForEach: true });
  const pages = await findRenderedPages(context, set, config);
  await repackPages(
    context,
    pages.flatMap(({ pack }) => pack ?? []),
  );
  return { rendered };
}

/** As the canary that it will be. */
function plannedRelease({ apps, config }: ReleasePlan, live: StoredRelease): StoredRelease {
  return { ...live, configDigest: digest(config), release: { ...live.release, apps: { ...apps }, config } };
}

function unchangedAnswer({ live }: ChannelSnapshot, rendered: number): Outcome<ChangeAnswer> {
  return {
    body: {
      release: (live as StoredRelease).release,
      changed: false,
      rendered,
      changes: [],
      canary: null,
    },
  };
}

function createPlan(
  channel: ChannelName,
  request: ReleaseRequest,
  parent: StoredRelease | null,
): ReleasePlan {
  const { apps, without = [] } = request;
  const config = request.config ?? parent?.release.config;
  if (!config) {
    throw registryErrors.release_incomplete(
      `The first release of "${channel}" needs the configuration of the site.`,
      {
        source: { pointer: '/config' },
      },
    );
  }
  const before = toLiveSet(parent?.release);
  requireKnown(without, before);
  const set = leaveOut(applyChanges(before, apps), without);
  return { kind: 'activate', ...set, config, said: pickAuthorFields(request) };
}

function changesNothing({ apps, config }: ReleasePlan, { release, configDigest }: StoredRelease): boolean {
  return changedApps(release.apps, apps).length === 0 && digest(config) === configDigest;
}

/**
 * A fallback version may have been quarantined. Activating the live versions again creates the same release with other
 * fallbacks.
 */
async function badFallbacks(
  db: RegistryDb,
  live: StoredRelease | null,
  { apps, share }: ReleaseRequest,
): Promise<readonly unknown[]> {
  if (share !== undefined || !live) return [];
  const fallbacks = Object.entries(live.release.lastGood).filter(([app]) => app in apps);
  return findQuarantines(db, Object.fromEntries(fallbacks));
}

function selectVersions({ apps }: ReleasePlan, changed: readonly string[]): AppSet {
  return Object.fromEntries(Object.entries(apps).filter(([app]) => changed.includes(app)));
}

/**
 * Not used for rollbacks, promotions and rebased canaries, which must not be blocked.
 * @throws ApiError `brand_incomplete`.
 */
function refuseBrand({ mode, brand }: SiteConfig): void {
  const problems = mode === 'production' ? brandProblems(brand) : [];
  if (problems.length === 0) return;
  throw registryErrors.brand_incomplete(
    `In mode "production" the brand must be complete: ${problems.join(', ')}.`,
    { source: { pointer: '/config/brand' } },
  );
}

/**
 * A concurrent change won. Changes of other apps are compatible; a change of the same app needs the author's decision.
 */
function checkMayRebase(
  request: ReleaseRequest,
  seen: StoredRelease | null,
  current: StoredRelease | null,
): void {
  const theirs = changedApps(seen?.release.apps ?? {}, current?.release.apps ?? {});
  const overlaps = theirs.some((app) => app in request.apps || request.without?.includes(app));
  const bothConfigs = request.config !== undefined && seen?.configDigest !== current?.configDigest;
  if (request.ifLive !== undefined || overlaps || bothConfigs) {
    throw parentOutdated(seen?.release.id ?? 'none', current, seen);
  }
}
