import { ArtifactStoreError } from '@site/artifacts/artifact-store';
import { ApiError } from '@site/server/api-error';
import type { ChangeAnswer, ChannelName } from '@site/contract';
import type { RollbackRequest } from '@site/contract/registry-calls/channel.calls';
import type { Transaction } from 'kysely';
import { appendAudit } from '../database/audit.repository.ts';
import { canaryReleases, findChannel, type ChannelSnapshot } from '../database/channel.repository.ts';
import { formerVersions, foundBadSince, wasLive } from '../database/live-version.repository.ts';
import { quarantine, release as releaseVersion } from '../database/quarantine.repository.ts';
import { releaseId, releasesWith, revokeReleases } from '../database/release.repository.ts';
import type { RegistryTables } from '../database/tables.ts';
import { findManifests, findVersion, versionName } from '../database/version.repository.ts';
import { leaveOut, setOf, withApp, type AppSet } from '../domain/app-set.ts';
import { earlierVersions } from '../domain/last-good.ts';
import { registryErrors } from '../errors.ts';
import { requireKnown, withReturning } from './absent-apps.ts';
import { carryOver, runningCanary, showsNothingElse } from './canary.ts';
import { CHANNEL_MOVED, changeChannel, type CanaryStep } from './change-channel.ts';
import type { Actor, RegistryContext } from './context.ts';
import { findFreeze, refuseFrozen, refuseQuarantined } from './guards.ts';
import type { Answer, Remember } from './idempotency.ts';
import { lastGoodVersions } from './last-good-versions.ts';
import { prepareRendered, prepareWayBack, type ReleasePlan } from './prepare-release.ts';
import { takeBackCanary, versionMeant } from './version-to-take-back.ts';

/** `ifLive`: the version that the author saw live, when they named none. */
type Request = RollbackRequest & { ifLive: string | undefined };

/**
 * Takes one version of an app away from everyone who sees it: it is quarantined, and every release that holds it is revoked.
 * When it is in the stable release, a new one puts a version back that was good, and a canary goes on, on top of it, if it
 * can. When the canary brought it, the canary ends.
 */
export async function rollBack(
  context: RegistryContext,
  actor: Actor,
  channel: ChannelName,
  request: Request,
  remember: Remember,
): Promise<Answer<ChangeAnswer>> {
  const { app, without = [], reason, force, dryRun } = request;
  let bad = request.from ?? request.ifLive;
  for (;;) {
    const seen = await findChannel(context.db, channel);
    // Once decided, the version that goes stays the same, however often this starts again.
    const meant = versionMeant(seen, { ...request, bad });
    bad = meant.version;
    if (meant.canary) {
      const answer = await takeBackCanary(context, actor, { ...request, seen, ...meant }, remember);
      if (answer !== CHANNEL_MOVED) return answer;
      continue;
    }
    const { version, parent } = meant;
    const before = leaveOut(setOf(parent.release), without);
    requireKnown(without, setOf(parent.release));
    const to = request.to ?? (await findLastGood(context, channel, { ...before, app, bad }));
    const target = { channel, app, to, bad: version, force };
    await checkTarget(context, target);

    const { config } = parent.release;
    const needed: ReleasePlan = { kind: 'rollback', ...withApp(before, app, to), config, reason };
    const plan = app === 'shell' ? await withReturning(context, needed, without) : needed;
    const stable = await prepareWayBack(context, plan, [app]);
    const canary = await canaryAfter(context, seen, plan, app);
    const answer = await changeChannel(context, {
      actor,
      seen,
      stable,
      canary: canary.step,
      dryRun,
      remember,
      async before(transaction, at) {
        await checkTarget({ ...context, db: transaction }, target);
        const by = actor.name;
        await releaseVersion(transaction, { app, version: to, reason, by, at });
        await quarantine(transaction, { app, version, reason, by, at });
        const ended = canary.ends && seen.canary ? { ...seen.canary, because: canary.ends } : null;
        const revoked = await releasesWith(transaction, channel, app, version);
        if (ended) revoked.push(...(await canaryReleases(transaction, channel, ended.first)));
        const distinct = [...new Set(revoked)].sort((a, b) => a - b);
        await revokeReleases(transaction, distinct, { channel, reason, by, at });
        if (ended) await auditEnd(transaction, { actor, at, channel, ...ended });
        return {
          quarantined: { app, version },
          revoked: distinct.map(releaseId),
          ...(ended ? { canaryEnded: { release: ended.release.id, because: ended.because } } : {}),
        } satisfies Partial<ChangeAnswer>;
      },
    });
    if (answer !== CHANNEL_MOVED) return answer;
  }
}

/** A canary is never worth more than a rollback: when it cannot go on at once, it ends. */
async function canaryAfter(
  context: RegistryContext,
  seen: ChannelSnapshot,
  plan: ReleasePlan,
  app: string,
): Promise<{ step: CanaryStep; ends: string | null }> {
  const running = runningCanary(seen);
  if (!running) return { step: { step: 'none' }, ends: null };
  const end = (because: string) => ({ step: { step: 'end' } as const, ends: because });
  try {
    const carried = await carryOver(context, running, plan);
    if (showsNothingElse(carried, plan)) return end('What it showed is what everyone sees now.');
    const release = await prepareRendered(context, carried, [app]);
    if (release) return { step: { step: 'carry', release }, ends: null };
    return end('Its pages are not rendered yet for what is live now, and a rollback does not wait for them.');
  } catch (error) {
    if (error instanceof ApiError) return end(`It cannot go on beside the rollback: ${error.detail}`);
    if (error instanceof ArtifactStoreError) return end('Its pages could not be looked for.');
    throw error;
  }
}

async function auditEnd(
  transaction: Transaction<RegistryTables>,
  {
    actor,
    at,
    channel,
    release,
    because,
  }: { actor: Actor; at: Date; channel: ChannelName; release: { id: string }; because: string },
): Promise<void> {
  await appendAudit(transaction, {
    at,
    by: actor.name,
    action: 'canary.ended',
    subject: release.id,
    details: { channel, reason: because },
  });
}

/** The last version of the app that was live before, is not quarantined and fits what else is live. */
async function findLastGood(
  { db }: RegistryContext,
  channel: ChannelName,
  { apps, app, bad }: { apps: AppSet; app: string; bad: string },
): Promise<string> {
  const history = (await formerVersions(db, channel, [app])).get(app) ?? [];
  // During a freeze, what was found bad is passed over as if it were quarantined still.
  const barred = (await findFreeze(db, channel, [app]))
    ? await foundBadSince(db, channel, app, earlierVersions(bad, history))
    : new Set<string>();
  const live = await findManifests(db, Object.entries({ ...apps, [app]: bad }));
  const usable = history.filter(({ version }) => !barred.has(version));
  const [lastGood] = await lastGoodVersions(db, [...live.values()], new Map([[app, usable]]));
  if (lastGood) return lastGood.version;
  if (barred.size > 0) await refuseFrozen(db, channel, [app]);
  throw registryErrors.no_good_version(
    `${app} has no earlier version on "${channel}" that fits the other live apps and is not quarantined.`,
  );
}

interface RollbackTarget {
  channel: ChannelName;
  app: string;
  to: string;
  bad: string;
  force: boolean | undefined;
}

async function checkTarget(
  { db }: RegistryContext,
  { channel, app, to, bad, force }: RollbackTarget,
): Promise<void> {
  if (to === bad) {
    throw registryErrors.no_good_version(`${versionName(app, to)} is already live.`);
  }
  if (!(await findVersion(db, app, to))) {
    throw registryErrors.version_unknown(`There is no version ${versionName(app, to)}.`);
  }
  if (!(await wasLive(db, channel, app, to))) {
    // Otherwise a rollback would be a way around a freeze, and around the checks of an activation.
    throw registryErrors.version_never_live(`${versionName(app, to)} was never live on "${channel}".`);
  }
  if (!force) await refuseQuarantined(db, { [app]: to });
  // What was found bad is no way back, though its quarantine was lifted: it goes live again like anything new.
  const isFrozen = (await findFreeze(db, channel, [app])) !== null;
  if (isFrozen && (await foundBadSince(db, channel, app, [to])).has(to))
    await refuseFrozen(db, channel, [app]);
}
