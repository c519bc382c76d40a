import { withoutTrailingSlashes } from '@site/contract/trailing-slashes';
import type { BootRoute, Redirect } from '@site/contract';
import { followRedirects } from '@site/contract/follow-redirects';

/**
 * Where an address leads: to a page of the release, or nowhere: a file, or a path that nobody owns without a `*` redirect.
 * The edge answers both in the same way.
 */
export interface RouteTable {
  /** Follows redirects. The answer's URL keeps query and hash. */
  resolve(url: URL): { url: URL; route: BootRoute | undefined };
}

/**
 * The release's routes and redirects, looked up by path. A trailing slash makes no difference.
 *
 * @param gone addresses that `*` does not take: the edge tells that they are gone.
 */
export function createRouteTable(
  routes: BootRoute[],
  redirects: Redirect[],
  gone: readonly string[] = [],
): RouteTable {
  const pages = new Map(routes.map((route) => [route.path, route]));
  const addresses = {
    pages,
    redirects: new Map(redirects.map((redirect) => [redirect.from, redirect])),
    gone: new Set(gone),
  };

  return {
    resolve(url) {
      const route = pages.get(withoutTrailingSlashes(url.pathname));
      if (route) return { url, route };
      const to = followRedirects(url.pathname, addresses);
      if (!to) return { url, route };
      const next = new URL(to, url);
      next.search = url.search;
      if (!next.hash) next.hash = url.hash;
      return { url: next, route: pages.get(next.pathname) };
    },
  };
}
