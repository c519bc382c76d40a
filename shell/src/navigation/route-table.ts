import { withoutTrailingSlashes } from '@site/contract/urls';
import type { BootRoute, Redirect } from '@site/contract';
import { followRedirects } from '@site/contract/redirects';

/**
 * The target of a URL: a page of the release, or none for a file, or for a path without an owner and without a `*`
 * redirect. The edge resolves them the same way.
 */
export interface RouteTable {
  resolve(url: URL): { url: URL; route: BootRoute | undefined };
}

/**
 * The release's routes and redirects by path. A trailing slash is ignored.
 *
 * @param gone paths that `*` does not match, because the edge responds with 410.
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
