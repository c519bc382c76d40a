import {
  choiceCount,
  documentKey,
  experimentKey,
  variantChoices,
  variantKey,
  type PageEntry,
} from '@site/contract';
import type { Report, SignalView } from '@site/contract/signals/report.schema';
import { frameId, takeApart } from '@site/documents/boot-data';
import { derived } from '../files/derived.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';

/** The app and `documentKey` of each page of a release, its variants, and the outcomes that are counted for them. */
const releasePages = derived(
  ({ document }: LoadedRelease) =>
    new Map(
      takeApart(document).remotes.flatMap(({ app, version, pages }) =>
        pages.map(({ path, variants, outcomes }) => [
          path,
          {
            app,
            key: documentKey(frameId(document.release), { name: app, version }),
            variants: new Set(variants ? variantChoices(variants).map(variantKey) : []),
            experiment: readExperiment({ variants, outcomes }),
          },
        ]),
      ),
    ),
);

interface Experiment {
  /** See `experimentKey`. */
  variants: string;
  outcomes: ReadonlySet<string>;
}

function readExperiment({ variants, outcomes }: Pick<PageEntry, 'variants' | 'outcomes'>): Experiment | null {
  if (!variants || !outcomes || choiceCount(variants) < 2) return null;
  return { variants: experimentKey(variants), outcomes: new Set(outcomes.map(({ name }) => name)) };
}

/** The experiment that a report counts for; null if the page declares no such outcomes, or its variants are chosen. */
export function experimentIn(
  release: LoadedRelease,
  { view, reached }: Extract<Report, { kind: 'experiment' }>,
): string | null {
  const experiment = releasePages(release).get(view.route)?.experiment;
  if (!experiment || view.variant === undefined || view.build !== 'live') return null;
  return reached.every((name) => experiment.outcomes.has(name)) ? experiment.variants : null;
}

export function routeApp(release: LoadedRelease, route: string): string | undefined {
  return releasePages(release).get(route)?.app;
}

/** The `documentKey` of a page that is served without a preview. */
export function documentKeyAt(release: LoadedRelease, route: string): string | undefined {
  return releasePages(release).get(route)?.key;
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
