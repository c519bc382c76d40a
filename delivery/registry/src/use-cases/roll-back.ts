import type { ChangeAnswer, ChannelName } from '@site/contract';
import { authorFieldsOf } from '@site/contract/author-fields';
import type { RollbackRequest } from '@site/contract/registry-calls/channel.calls';
import { findChannel, type ChannelSnapshot } from '../database/channel.repository.ts';
import { formerVersions, foundBadSince, wasLive } from '../database/live-version.repository.ts';
import { insertQuarantine, deleteQuarantine, type Quarantine } from '../database/quarantine.repository.ts';
import type { StoredRelease } from '../database/release.repository.ts';
import { releasesRetiring, releasesWith } from '../database/revocation.repository.ts';
import type { RegistryDb } from '../database/tables.ts';
import { findStanding } from '../database/standing.repository.ts';
import { findManifests } from '../database/manifest.repository.ts';
import { findVersion, versionName } from '../database/version.repository.ts';
import type { Writing } from '../database/writing.ts';
import { leaveOut, setOf, withApp, type AppSet } from '../domain/app-set.ts';
import { earlierVersions } from '../domain/last-good.ts';
import type { ReleasePlan } from '../domain/release-plan.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import { mayReturn, requireKnown, withReturning } from './left-out-apps.ts';
import type { Answer, Command } from './command.ts';
import type { RegistryContext } from './context.ts';
import { findFreeze, refuseFrozen, refuseQuarantined, versionUnknown } from './refusals.ts';
import { lastGoodVersions } from './last-good-versions.ts';
import { channelMoved } from './make-releases.ts';
import { prepareWayBack } from './prepare-release.ts';
import { retiredVersion } from './retire-app.ts';
import { runChange, type Outcome } from './run-change.ts';
import {
  refuseOtherTarget,
  takeBackCanary,
  versionMeant,
  type CanaryToTakeBack,
  type VersionMeant,
} from './version-to-take-back.ts';
import { canaryAfter, makeWayBack, type ReadyWayBack } from './way-back.ts';

/**
 * `ifLiveVersion`, `ifRetiredVersion`: the version that the author saw live, or retired, when they named none. `alsoBad`: where a
 * canary ends, what else of it is quarantined, as it is known when the change is written.
 */
type Request = RollbackRequest & {
  ifLiveVersion?: string | undefined;
  ifRetiredVersion?: string | undefined;
  alsoBad?: readonly Quarantine[];
};

/**
 * Takes one version of an app away from everyone who sees it: it is quarantined, and every release that holds it is revoked.
 * When it is in the live release, a new one puts a version back that was good, and a canary goes on, on top of it, if it
 * can. When the canary brought it, the canary ends. An app that was retired comes back with the version that it had.
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
      // Somebody else was faster: what has come back is not what the author wants gone.
      if (ofRetired) throw backAlready(snapshot, request.app);
      // Once seen, the version that goes stays the same, however often this starts again.
      const meant = versionMeant(snapshot, { ...request, bad });
      bad = meant.version;
      const lastGood =
        meant.canary || request.to !== undefined ? null : await findLastGood(db, meant.parent, request, bad);
      return { snapshot, meant, lastGood };
    },
    decide: (seen) => planOn(request, seen),
    async check(db, plan) {
      if (plan.what === 'way back') await checkTarget(db, plan);
    },
    prepare: async (plan) =>
      plan.what === 'way back' ? prepareChannel(command.context, plan, request) : null,
    hasMoved: async (transaction, plan, ready) =>
      (await channelMoved(transaction, plan.snapshot)) ||
      !(await mayReturn(transaction, channel, returning(plan, ready))),
    write: (writing, plan, ready) =>
      plan.what === 'canary'
        ? takeBackCanary(writing, plan, reason, request.alsoBad)
        : goBack(writing, plan, ready as ReadyWayBack),
  });
}

function backAlready({ channel, live }: ChannelSnapshot, app: string) {
  const version = live?.release.apps[app];
  return registryErrors.version_not_live(
    `${app} is not retired on "${channel}" any more${version === undefined ? '' : `: ${versionName(app, version)} is live`}. Nothing was changed.`,
  );
}

interface Seen {
  snapshot: ChannelSnapshot;
  /** `version` null: the app is retired, and nothing of it is to go. */
  meant: VersionMeant | { version: null; parent: StoredRelease; canary: null };
  /** What to go back to when the author names nothing. */
  lastGood: string | null;
}

/** Another version takes the place of the one that goes. */
interface WayBack {
  what: 'way back';
  snapshot: ChannelSnapshot;
  channel: ChannelName;
  app: string;
  /** The version that goes; null when the app was retired. */
  version: string | null;
  to: string;
  force: boolean | undefined;
  release: ReleasePlan;
}

type Planned = WayBack | ({ what: 'canary' } & CanaryToTakeBack);

/** @throws ApiError `rollback_unclear`, `app_unknown`. */
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
  requireKnown(without, setOf(release));
  const to = request.to ?? lastGood ?? version ?? '';
  return {
    what: 'way back',
    snapshot,
    channel: snapshot.channel,
    app,
    version,
    to,
    force,
    release: {
      kind: 'rollback',
      ...withApp(leaveOut(setOf(release), without), app, to),
      config: release.config,
      said: authorFieldsOf(request),
    },
  };
}

/** The apps that come back beside the one that is rolled back. */
function returning(plan: Planned, ready: ReadyWayBack | null): AppSet {
  if (plan.what === 'canary' || !ready) return {};
  const { apps } = ready.live;
  return Object.fromEntries(Object.entries(apps).filter(([app]) => !(app in plan.release.apps)));
}

async function prepareChannel(
  context: RegistryContext,
  { snapshot, channel, app, release }: WayBack,
  { without = [] }: Request,
): Promise<ReadyWayBack> {
  const plan = app === 'shell' ? await withReturning(context, channel, release, without) : release;
  const live = await prepareWayBack(context, plan, [app]);
  return { live, ...(await canaryAfter(context, snapshot, plan, app)) };
}

async function goBack(
  writing: Writing,
  { snapshot, channel, app, version, to, release: { said } }: WayBack,
  ready: ReadyWayBack,
): Promise<Outcome<ChangeAnswer>> {
  const { transaction } = writing;
  const { reason } = said;
  await deleteQuarantine(writing, { app, version: to, reason });
  if (version !== null) await insertQuarantine(writing, { app, version, reason });
  // Tabs of the releases without it would lead its visitors elsewhere still.
  const revoked =
    version === null
      ? await releasesRetiring(transaction, channel, app)
      : await releasesWith(transaction, channel, app, version);
  return makeWayBack(
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

/** The last version of the app that was live before, is not quarantined and fits what else is live. */
async function findLastGood(
  db: RegistryDb,
  { release }: StoredRelease,
  { app, without = [] }: Request,
  bad: string,
): Promise<string> {
  const { channel } = release;
  const { apps } = leaveOut(setOf(release), without);
  const history = (await formerVersions(db, channel, [app])).get(app) ?? [];
  // During a freeze, what was found bad is passed over as if it were quarantined still.
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

async function checkTarget(db: RegistryDb, { channel, app, version, to, force }: WayBack): Promise<void> {
  if (to === version) {
    throw registryErrors.no_good_version(`${versionName(app, to)} is already live.`);
  }
  if (!(await findVersion(db, app, to))) throw versionUnknown(app, to);
  if (!(await wasLive(db, channel, app, to))) {
    // Otherwise a rollback would be a way around a freeze, and around the checks of an activation.
    throw registryErrors.version_never_live(`${versionName(app, to)} was never live on "${channel}".`);
  }
  if (!force) await refuseQuarantined(db, { [app]: to });
  // A version that was found bad is not a way back, even if its quarantine was lifted: it goes live again like anything new.
  const isFrozen = (await findFreeze(db, channel, [app])) !== null;
  if (isFrozen && (await foundBadSince(db, channel, app, [to])).has(to))
    await refuseFrozen(db, channel, [app]);
}
