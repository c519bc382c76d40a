import type { ChannelName, SiteConfig } from '@site/contract';
import type { ReleasePlan } from '../domain/release-plan.ts';
import { checkBudgets } from './check-budgets.ts';
import { RELEASES_TURN } from './compressing.ts';
import type { RegistryContext } from './context.ts';
import { prepareRollbacks } from './last-good-versions.ts';
import { loadReleaseSet, refuseTaken, type ReleaseSet } from './release-set.ts';
import { isRendered, renderMissing, type RenderOptions } from './render-missing.ts';
import { findRenderedOf, noteWeightsOf } from './rendered-pages.ts';
import { weighDocuments } from './weigh-documents.ts';

/** A release that can be made: its versions fit together and all its pages are rendered. */
export interface PreparedRelease extends ReleasePlan {
  set: ReleaseSet;
  /** How many pages had to be rendered for it. */
  rendered: number;
}

/**
 * Checks a release, renders what it lacks and weighs what is new in it: a version that was published while something else
 * was live, or without being weighed, is held to the same budgets here. It happens outside of any transaction, for it may
 * take seconds.
 *
 * @param changed the apps whose versions visitors do not have yet.
 * @throws ApiError when the set cannot be live together, a page does not render or a budget is exceeded.
 */
export async function prepareRelease(
  context: RegistryContext,
  channel: ChannelName,
  plan: ReleasePlan,
  changed: readonly string[],
): Promise<PreparedRelease> {
  const set = await loadReleaseSet(context.db, plan.apps);
  await refuseTaken(context.db, set, plan.leftOut);
  const rendered = await renderMissing(context, set, plan.config, { unproven: changed });
  await weighRelease(context, set, plan.config, changed);
  await prepareRollbacks(context, channel, set, plan.config);
  return { ...plan, set, rendered };
}

async function weighRelease(
  context: RegistryContext,
  set: ReleaseSet,
  config: SiteConfig,
  changed: readonly string[],
): Promise<void> {
  if (changed.length === 0) return;
  const { shell, remotes } = set;
  const isNew = new Set(changed);
  const weighed = remotes.filter(({ app }) => isNew.has(app) || isNew.has('shell'));
  const rendered = await findRenderedOf(context, { shell, remotes: weighed }, config, { withWeights: true });
  await checkBudgets(context.store, [shell, ...remotes], changed);
  const found = await weighDocuments(context, { set, weighed, config, rendered, turn: RELEASES_TURN });
  await noteWeightsOf(context, { shell, remotes: weighed }, config, found.weighed);
}

/**
 * The same for a release that puts back what was there before, which must not depend on more than it has to: only the
 * pages of `apps` are looked for in the store, and a store that does not answer does not stop it.
 */
export async function prepareWayBack(
  context: RegistryContext,
  plan: ReleasePlan,
  apps: readonly string[],
): Promise<PreparedRelease> {
  const set = await loadReleaseSet(context.db, plan.apps);
  const rendered = await renderMissing(context, pagesOf(set, apps), plan.config, lookingForEach);
  return { ...plan, set, rendered };
}

/** The same for a release that nobody waits for: null when a page of it would have to be rendered first. */
export async function prepareRendered(
  context: RegistryContext,
  plan: ReleasePlan,
  apps: readonly string[],
): Promise<PreparedRelease | null> {
  const set = await loadReleaseSet(context.db, plan.apps);
  return (await isRendered(context, pagesOf(set, apps), plan.config, lookingForEach))
    ? { ...plan, set, rendered: 0 }
    : null;
}

/** Leaves out the other remotes: visitors have their pages, which were live in this shell and configuration until now. */
function pagesOf({ shell, remotes }: ReleaseSet, apps: readonly string[]): ReleaseSet {
  const everyPageChanges = apps.includes('shell');
  return { shell, remotes: remotes.filter(({ app }) => everyPageChanges || apps.includes(app)) };
}

const lookingForEach: RenderOptions = { looksForEach: true, storeMayBeAway: true };
