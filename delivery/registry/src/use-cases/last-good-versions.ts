import type { ChannelName, SiteConfig } from '@site/contract';
import { formerVersions, type FormerVersion } from '../database/release.repository.ts';
import { findManifests } from '../database/version.repository.ts';
import type { AppSet } from '../domain/app-set.ts';
import { lastGoodVersion } from '../domain/last-good.ts';
import { unmetRanges } from '../domain/ranges.ts';
import type { RegistryContext } from './context.ts';
import type { ReleaseSet } from './release-set.ts';
import { renderMissing } from './render-missing.ts';

/** The version that the browser falls back to, for each remote that has one which fits this shell. */
export function lastGoodVersions(
  { shell, remotes }: ReleaseSet,
  former: Map<string, FormerVersion[]>,
): AppSet {
  return Object.fromEntries(
    remotes.flatMap(({ app, version }) => {
      const history = former.get(app) ?? [];
      const fitsShell = (candidate: string) => {
        const requires = history.find((known) => known.version === candidate)?.requires ?? {};
        return unmetRanges({ app, version: candidate, requires }, shell).length === 0;
      };
      const lastGood = lastGoodVersion(version, history, fitsShell);
      return lastGood === null ? [] : [[app, lastGood]];
    }),
  );
}

/**
 * Renders the last good versions in this shell and configuration too, so that a later rollback finds their pages and
 * renders nothing. One that does not render does not stop the release: it is the way back from something else.
 */
export async function prepareRollbacks(
  context: RegistryContext,
  channel: ChannelName,
  set: ReleaseSet,
  config: SiteConfig,
): Promise<void> {
  const lastGood = lastGoodVersions(set, await formerVersions(context.db, channel));
  const manifests = await findManifests(context.db, Object.entries(lastGood));
  const remotes = [...manifests.values()].filter((manifest) => manifest.kind === 'remote');
  await renderMissing(context, { shell: set.shell, remotes }, config, { skipsBroken: true });
}
