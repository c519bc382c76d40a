import { variantChoices, variantKey } from '@site/contract';
import type { SignalView } from '@site/contract/signals/report.schema';
import { takeApart } from '@site/documents/boot-data';
import { derived } from '../files/derived.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';

export interface ReleaseShown {
  role: 'canary' | 'live';
  release: LoadedRelease;
}

/**
 * Whether faults and slow times of an app also count against the shell: the canary changes the shell but not the app.
 * They count in the views of both releases, because these are compared.
 */
export function shellIsTriedBy(shown: readonly ReleaseShown[], app: string): boolean {
  const [one, other] = shown.map(({ release }) => release.document.release.apps);
  if (!one || !other) return false;
  return one['shell'] !== other['shell'] && one[app] === other[app];
}

/** The app of each page of a release, and the keys of its variants. */
const releasePages = derived(
  ({ document }: LoadedRelease) =>
    new Map(
      takeApart(document).remotes.flatMap(({ app, pages }) =>
        pages.map(({ path, variants }) => [
          path,
          { app, variants: new Set(variants ? variantChoices(variants).map(variantKey) : []) },
        ]),
      ),
    ),
);

export function appOf(release: LoadedRelease, route: string): string | undefined {
  return releasePages(release).get(route)?.app;
}

export function showsView(
  release: LoadedRelease,
  { route, app, version, build, variant }: SignalView,
): boolean {
  const page = releasePages(release).get(route);
  if (page?.app !== app || (variant !== undefined && !page.variants.has(variant))) return false;
  const { apps, lastGood } = release.document.release;
  return version === (build === 'live' ? apps : lastGood)[app];
}
