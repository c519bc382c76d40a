import { assetUrl, type BootRoute } from '@site/contract';
import type { ReleaseTable } from '../navigation/release-table.ts';

const PATIENCE_MS = 4_000;

export interface PrefetchOptions {
  document: Document;
  table: ReleaseTable;
  opened: BootRoute | undefined;
  /** Loads the page's module once its files are fetched, so that a click finds it evaluated. */
  load(route: BootRoute, files: Promise<unknown>): void;
}

/**
 * Prefetches pages that the visitor is about to open. On hover, focus or touch of a link: the page itself. For links in
 * view, once the page is idle: only its files, at low priority. Entry and chunks load in parallel, while a click alone
 * would fetch them in sequence.
 *
 * Uses `fetch` instead of `<link rel=prefetch>`: WebKit has no prefetch, and Firefox checks it against `default-src`.
 * The files are immutable, so the later script or stylesheet comes from the HTTP cache. Loading waits for a fetch in
 * progress, because WebKit would download the file twice.
 *
 * @returns a function that finds new links, to call after each navigation.
 */
export function startPrefetch({ document, table, opened, load }: PrefetchOptions): () => void {
  const routeFiles = ({ remote, paths = [] }: BootRoute) => [
    table.remotes.get(remote)?.entry,
    ...paths.map((path) => assetUrl(remote, path)),
  ];
  const fetched = new Map<string | undefined, Promise<unknown>>(
    opened && routeFiles(opened).map((href) => [href, Promise.resolve()]),
  );

  function linkRoute(target: EventTarget | null): BootRoute | undefined {
    const link = target instanceof Element ? target.closest('a[href]') : null;
    const url =
      link instanceof HTMLAnchorElement && !link.target ? new URL(link.href, document.baseURI) : null;
    return url?.origin === location.origin ? table.resolve(url).route : undefined;
  }

  function prefetch(route: BootRoute, priority: RequestPriority): Promise<unknown> {
    return Promise.all(
      routeFiles(route).map((href) => {
        const fetching =
          fetched.get(href) ??
          (href ? prefetchFile(href, priority) : Promise.resolve()).catch(() => fetched.delete(href));
        fetched.set(href, fetching);
        return fetching;
      }),
    );
  }

  function intend(event: Event): void {
    const route = linkRoute(event.target);
    if (!route) return;
    const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    load(route, Promise.race([prefetch(route, 'auto'), patience]));
  }
  for (const type of ['pointerover', 'focusin', 'touchstart'])
    document.addEventListener(type, intend, { passive: true });

  const observer = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) {
      const route = isIntersecting ? linkRoute(target) : undefined;
      if (!route) continue;
      observer.unobserve(target);
      void prefetch(route, 'low');
    }
  });
  return function observeLinks() {
    for (const link of document.links) observer.observe(link);
  };
}

async function prefetchFile(href: string, priority: RequestPriority): Promise<unknown> {
  const response = await fetch(href, { priority });
  // Firefox caches only what is read to the end.
  return response.arrayBuffer();
}
