import { ApiError } from '@site/server/api-error';
import { findQuarantines } from '../database/quarantine.repository.ts';
import { withApp, type LiveSet } from '../domain/app-set.ts';
import type { ReleasePlan } from '../domain/release-plan.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import type { RegistryContext } from './context.ts';
import { loadReleaseSet } from './release-set.ts';
import { isRendered } from './render-missing.ts';

/** @throws ApiError `app_unknown` for an app that is not there to be left out. */
export function requireKnown(without: readonly string[], { apps, leftOut }: LiveSet): void {
  const unknown = without.find((app) => !(app in apps) && !(app in leftOut));
  if (unknown === undefined) return;
  throw registryErrors.app_unknown(
    `"${unknown}" cannot be left out: it is not live; the live apps are: ${Object.keys(apps).join(', ')}.`,
    { source: { pointer: '/without' } },
  );
}

/**
 * The plan with every remote back that was left out, fits, is not quarantined and is rendered already: a shell that is
 * rolled back takes nothing with it that stood beside it before, and waits for nobody.
 */
export async function withReturning(
  context: RegistryContext,
  plan: ReleasePlan,
  without: readonly string[],
): Promise<ReleasePlan> {
  let fullest = plan;
  const quarantined = new Set((await findQuarantines(context.db, plan.leftOut)).map(({ app }) => app));
  for (const [app, version] of Object.entries(plan.leftOut)) {
    if (without.includes(app) || quarantined.has(app)) continue;
    const wider = { ...fullest, ...withApp(fullest, app, version) };
    try {
      const { shell, remotes } = await loadReleaseSet(context.db, wider.apps);
      const own = remotes.filter((remote) => remote.app === app);
      const options = { storeMayBeAway: true };
      if (await isRendered(context, { shell, remotes: own }, plan.config, options)) fullest = wider;
    } catch (error) {
      // What does not fit stays out; nothing else is a reason to stop a rollback either.
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return fullest;
}
