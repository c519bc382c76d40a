/**
 * Code that starts after hydration. It is in the identity's chunk, so the scripts of the first view do not contain it.
 */
import type { BootData, BootRoute } from '@site/contract';
import { toSiteBrand } from '@site/kit/host';
import { keepCampaign } from '../navigation/campaign.ts';
import { dropFirstPageTags } from '../navigation/drop-first-page-tags.ts';
import type { Navigation } from '../navigation/navigation.ts';
import { createPlaceKeeper } from '../navigation/place-keeper.ts';
import type { ReleaseTable } from '../navigation/release-table.ts';
import type { PageLoader } from '../pages/page-loader.ts';
import { completeLayout } from '../layout/complete-layout.ts';
import { openMenus } from '../layout/open-menus.ts';
import { startPrefetch } from '../pages/prefetch.ts';
import { createReleaseWatch, type ReleaseWatch } from '../pages/release-watch.ts';
import { listenForSearch } from '../search/listen-for-search.ts';
import { confirmRestored } from './confirm-restored.ts';
import { whenIdle } from './when-idle.ts';

export interface BootedSite {
  data: BootData;
  table: ReleaseTable;
  pages: PageLoader;
  storage: Storage | null;
  navigation: Navigation;
  /** Whether the document has just come from an edge: see `ReleaseWatchOptions`. */
  isFresh: boolean;
}

/** @param entry the query of the visitor's entry URL. */
export function listen(
  { data, table, storage, navigation, isFresh }: BootedSite,
  entry: string,
): ReleaseWatch {
  const watch = createReleaseWatch({
    fetchRevoked: table.isRevoked,
    now: () => performance.now(),
    isOnline: () => navigator.onLine,
    isFresh,
  });
  completeLayout();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') watch.returned();
  });
  confirmRestored(window, watch);
  dropFirstPageTags(navigation, document, data.rendered);
  navigation.keepPlaces(createPlaceKeeper(window));
  keepCampaign(window, entry, toSiteBrand(data.config).application, storage);
  openMenus(document);
  listenForSearch(document, (to) => navigation.navigator.push(to));
  return watch;
}

/** Prefetches the code of likely clicks. @param opened the current page. */
export async function prepareClicks(
  { table, pages, navigation }: BootedSite,
  watch: ReleaseWatch,
  opened: BootRoute | undefined,
): Promise<void> {
  await table.complete();
  const observeLinks = startPrefetch({
    document,
    table,
    opened,
    load(wanted, files) {
      watch.ask();
      pages.ahead(wanted, files);
    },
  });
  observeLinks();
  navigation.subscribe(() => {
    whenIdle(observeLinks);
  });
}
