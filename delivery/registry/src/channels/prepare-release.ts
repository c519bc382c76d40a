import type { ChannelName, SiteConfig } from '@site/contract';
import type { ReleasePlan } from './release.repository.ts';
import { checkBudgets } from '../versions/index.ts';
import { RELEASES_TURN } from '../kernel/compressing.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { prepareRollbacks } from './last-good-versions.ts';
import {
  loadReleaseSet,
  refuseTaken,
  type ReleaseSet,
  renderMissing,
  type RenderOptions,
  findRenderedPages,
  saveWeights,
  weighDocuments,
} from '../pages/index.ts';

/** Its versions fit together and all its pages are rendered. */
export interface PreparedRelease extends ReleasePlan {
  set: ReleaseSet;
  rendered: number;
}

/**
 * Measures new versions as well: those published against another live release, or without measuring, must meet the same
 * budgets. Runs outside of transactions, because it may take seconds.
 * @param changed the apps with versions that visitors do not have yet.
 * @throws ApiError if the versions do not fit together, a page does not render or a budget is exceeded.
 */
export async function prepareRelease(
  context: RegistryContext,
  channel: ChannelName,
  plan: ReleasePlan,
  changed: readonly string[],
): Promise<PreparedRelease> {
  const prepared = await prepareSet(context, plan, changed);
  await prepareRollbacks(context, channel, prepared.set, plan.config);
  return prepared;
}

/** @throws ApiError if the versions do not fit together. */
export async function checkFit({ db }: Pick<RegistryContext, 'db'>, plan: ReleasePlan): Promise<ReleaseSet> {
  const set = await loadReleaseSet(db, plan.apps);
  await refuseTaken(db, set, plan.leftOut);
  return set;
}

/** As `prepareRelease`, without the pages of rollback targets. */
export async function prepareSet(
  context: RegistryContext,
  plan: ReleasePlan,
  changed: readonly string[],
): Promise<PreparedRelease> {
  const set = await checkFit(context, plan);
  const rendered = await renderMissing(context, set, plan.config, { unproven: changed });
  await weighRelease(context, set, plan.config, changed);
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
  const rendered = await findRenderedPages(context, { shell, remotes: weighed }, config, {
    withWeights: true,
  });
  await checkBudgets(context.store, [shell, ...remotes], changed);
  const found = await weighDocuments(context, { set, weighed, config, rendered, turn: RELEASES_TURN });
  await saveWeights(context, { shell, remotes: weighed }, config, found.weighed);
}

/** Only the pages of `apps` are checked in the store, and a store failure does not block it. */
export async function prepareRollback(
  context: RegistryContext,
  plan: ReleasePlan,
  apps: readonly string[],
): Promise<PreparedRelease> {
  const set = await loadReleaseSet(context.db, plan.apps);
  const rendered = await renderMissing(context, affectedPages(set, apps), plan.config, lookingForEach);
  return { ...plan, set, rendered };
}

/** Omits the other remotes, whose pages were live in this shell and configuration until now. */
function affectedPages({ shell, remotes }: ReleaseSet, apps: readonly string[]): ReleaseSet {
  const everyPageChanges = apps.includes('shell');
  return { shell, remotes: remotes.filter(({ app }) => everyPageChanges || apps.includes(app)) };
}

const lookingForEach: RenderOptions = { looksForEach: true, storeMayBeAway: true };
