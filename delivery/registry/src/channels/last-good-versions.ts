import type { ChannelName, SiteConfig, VersionManifest } from '@site/contract';
import { formerVersions } from './live-version.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { findManifests, versionName, earlierVersions, type LiveSpan } from '../versions/index.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { fittingBeside, type ReleaseSet, renderMissing } from '../pages/index.ts';

/** The most recent version in `former` that fits all others. Browser fallbacks and rollbacks follow the same rule. */
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
  // The first candidate nearly always fits, so manifests are read on demand.
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
 * Prerenders what a rollback of any app would need: the target remotes in this shell, and these remotes in the target
 * shell. A page that fails does not block the release, which may itself be a fix.
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
