import { asksForFile, type BootRoute, type Redirect } from '@site/contract';

/**
 * Where an address leads: to a page of the release, or nowhere: a file, or a path that nobody owns without a `*` redirect.
 * The edge answers both in the same way.
 */
export interface RouteTable {
  /** Follows redirects. The answer's URL keeps query and hash. */
  resolve(url: URL): { url: URL; route: BootRoute | undefined };
}

/** More redirects than this in a row are a circle. */
const MAX_REDIRECTS = 5;

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
  const routeByPath = new Map(routes.map((route) => [route.path, route]));
  const redirectByPath = new Map(redirects.map(({ from, to }) => [from, to]));

  const isGone = new Set(gone);

  return {
    resolve(asked) {
      let url = asked;
      for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
        const path = url.pathname.replace(/\/+$/, '') || '/';
        const route = routeByPath.get(path);
        if (route) return { url, route };
        // All paths that a release declares are lower case: in other cases the same is meant.
        const lower = path.toLowerCase();
        const isNowhere = asksForFile(path) || isGone.has(lower);
        const to = routeByPath.has(lower)
          ? lower
          : (redirectByPath.get(lower) ?? (isNowhere ? undefined : redirectByPath.get('*')));
        if (to === undefined) break;
        const next = new URL(to, url);
        next.search = url.search;
        if (!next.hash) next.hash = url.hash;
        url = next;
      }
      return { url, route: undefined };
    },
  };
}
