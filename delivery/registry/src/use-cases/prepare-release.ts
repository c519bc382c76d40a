import type { ChannelName, Release, SiteConfig } from '@site/contract';
import type { AppSet } from '../domain/app-set.ts';
import type { RegistryContext } from './context.ts';
import { prepareRollbacks } from './last-good-versions.ts';
import { loadReleaseSet, type ReleaseSet } from './release-set.ts';
import { isRendered, renderMissing, type RenderOptions } from './render-missing.ts';

/** A release that is to be made. */
export interface ReleasePlan {
  kind: Release['kind'];
  apps: AppSet;
  config: SiteConfig;
  reason: string;
}

/** A release that can be made: its versions fit together and all its pages are rendered. */
export interface PreparedRelease extends ReleasePlan {
  set: ReleaseSet;
  /** How many pages had to be rendered for it. */
  rendered: number;
}

/**
 * Checks a release and renders what it lacks. It happens outside of any transaction, for it may take seconds.
 *
 * @throws ApiError when the set cannot be live together or a page does not render.
 */
export async function prepareRelease(
  context: RegistryContext,
  channel: ChannelName,
  plan: ReleasePlan,
): Promise<PreparedRelease> {
  const set = await loadReleaseSet(context.db, plan.apps);
  const rendered = await renderMissing(context, set, plan.config);
  await prepareRollbacks(context, channel, set, plan.config);
  return { ...plan, set, rendered };
}

/**
 * The same for a release that puts back what was there before, which must not depend on more than it has to: only the
 * pages of `apps` are looked for in the store, and a store that does not answer is no obstacle.
 */
export async function prepareWayBack(
  context: RegistryContext,
  plan: ReleasePlan,
  apps: readonly string[],
): Promise<PreparedRelease> {
  const set = await loadReleaseSet(context.db, plan.apps);
  const rendered = await renderMissing(context, set, plan.config, pagesOf(apps));
  return { ...plan, set, rendered };
}

/** The same for a release that nobody waits for: null when a page of it would have to be rendered first. */
export async function prepareRendered(
  context: RegistryContext,
  plan: ReleasePlan,
  apps: readonly string[],
): Promise<PreparedRelease | null> {
  const set = await loadReleaseSet(context.db, plan.apps);
  return (await isRendered(context, set, plan.config, pagesOf(apps))) ? { ...plan, set, rendered: 0 } : null;
}

function pagesOf(apps: readonly string[]): RenderOptions {
  const everyPageChanges = apps.includes('shell');
  return { looksFor: (app) => everyPageChanges || apps.includes(app), storeMayBeAway: true };
}
