import type { ChannelName, SiteConfig, VersionManifest } from '@site/contract';
import { formerVersions } from '../database/live-version.repository.ts';
import type { RegistryDb } from '../database/tables.ts';
import { findManifests } from '../database/manifest.repository.ts';
import { versionName } from '../database/version.repository.ts';
import { earlierVersions, type LiveSpan } from '../domain/last-good.ts';
import type { RegistryContext } from './context.ts';
import { fittingBeside, type ReleaseSet } from './release-set.ts';
import { renderMissing } from './render-missing.ts';

/**
 * The versions to put back, one for each app of a set that has one: of its `former` versions the most recent that fits
 * all the others. What browsers fall back to, and what a rollback goes to, is the same.
 */
export async function lastGoodVersions(
  db: RegistryDb,
  live: readonly VersionManifest[],
  former: ReadonlyMap<string, readonly LiveSpan[]>,
): Promise<VersionManifest[]> {
  const found: VersionManifest[] = [];
  const fits = fittingBeside(live);
  let open = live.map(({ app, version }) => ({
    app,
    candidates: earlierVersions(version, former.get(app) ?? []),
  }));
  // The first candidate is nearly always the one, so only as many manifests are read as are looked at.
  for (;;) {
    open = open.filter(({ candidates }) => candidates.length > 0);
    if (open.length === 0) return found;
    const manifests = await findManifests(
      db,
      open.map(({ app, candidates: [next] }) => [app, next ?? '']),
    );
    open = open.flatMap(({ app, candidates: [next, ...rest] }) => {
      const candidate = manifests.get(versionName(app, next ?? ''));
      if (!candidate || !fits(candidate)) return [{ app, candidates: rest }];
      found.push(candidate);
      return [];
    });
  }
}

/**
 * Renders what a rollback of any of the apps would show in this configuration: the last good remotes in this shell, and
 * these remotes in the last good shell. A page that does not render does not stop the release: it is the way back from
 * something else.
 */
export async function prepareRollbacks(
  context: RegistryContext,
  channel: ChannelName,
  { shell, remotes }: ReleaseSet,
  config: SiteConfig,
): Promise<void> {
  const live = [shell, ...remotes];
  const former = await formerVersions(
    context.db,
    channel,
    live.map(({ app }) => app),
  );
  const lastGood = await lastGoodVersions(context.db, live, former);
  const render = (set: ReleaseSet) => renderMissing(context, set, config, { skipsBroken: true });
  await render({ shell, remotes: lastGood.filter((manifest) => manifest.kind === 'remote') });
  for (const manifest of lastGood) if (manifest.kind === 'shell') await render({ shell: manifest, remotes });
}
