import type { ChannelName } from '@site/contract';
import { ApiError } from '@site/server/api-error';
import { findQuarantines } from './quarantine.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { type AppSet, type LiveSet, withApp } from '../versions/index.ts';
import type { ReleasePlan } from './release.repository.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { findFreeze } from './refusals.ts';
import { loadReleaseSet, isRendered } from '../pages/index.ts';

/** @throws ApiError `app_unknown` for an app that is not live. */
export function requireKnown(without: readonly string[], { apps, leftOut }: LiveSet): void {
  const unknown = without.find((app) => !(app in apps) && !(app in leftOut));
  if (unknown === undefined) return;
  throw registryErrors.app_unknown(
    `"${unknown}" cannot be left out: it is not live; the live apps are: ${Object.keys(apps).join(', ')}.`,
    { source: { pointer: '/without' } },
  );
}

/** No quarantine and no freeze. */
export async function mayReturn(db: RegistryDb, channel: ChannelName, versions: AppSet): Promise<boolean> {
  const apps = Object.keys(versions);
  if (apps.length === 0) return true;
  const isFrozen = (await findFreeze(db, channel, apps)) !== null;
  return !isFrozen && (await findQuarantines(db, versions)).length === 0;
}

/**
 * Restores every left-out remote that fits, is neither quarantined nor frozen, and is already rendered: a shell
 * rollback neither loses remotes nor waits for rendering.
 */
export async function restoreLeftOut(
  context: RegistryContext,
  channel: ChannelName,
  plan: ReleasePlan,
  without: readonly string[],
): Promise<ReleasePlan> {
  let fullest = plan;
  for (const [app, version] of Object.entries(plan.leftOut)) {
    if (without.includes(app) || !(await mayReturn(context.db, channel, { [app]: version }))) continue;
    const wider = { ...fullest, ...withApp(fullest, app, version) };
    try {
      const { shell, remotes } = await loadReleaseSet(context.db, wider.apps);
      const own = remotes.filter((remote) => remote.app === app);
      const options = { storeMayBeAway: true };
      if (await isRendered(context, { shell, remotes: own }, plan.config, options)) fullest = wider;
    } catch (error) {
      // A version that does not fit stays left out; other problems must not block a rollback either.
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return fullest;
}
