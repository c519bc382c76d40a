import { asksForFile } from './file-address.ts';
import type { Redirect } from './route.schema.ts';
import { withoutTrailingSlashes } from './trailing-slashes.ts';

/** What a release has at its addresses. Every path of it is lower case and without a trailing slash. */
export interface Addresses {
  pages: { has(path: string): boolean };
  /** By `from`, including `/` and `*`. */
  redirects: { get(from: string): Redirect | undefined };
  /** Addresses of retired apps that lead nowhere: `*` does not take them. */
  gone: { has(path: string): boolean };
}

/** The address of a retired app that leads nowhere. */
export interface GoneAddress {
  from: string;
  to: null;
}

/**
 * Where a path that is not itself a page leads: one step, not further. In other cases, or with trailing slashes, the
 * declared path is meant; `//` is not the root.
 *
 * @returns a redirect of the release, or one to the page itself from its own path; undefined when the path is nothing.
 */
export function nextRedirect(
  path: string,
  { pages, redirects, gone }: Addresses,
): Redirect | GoneAddress | undefined {
  const declared = path === '/' ? path : withoutTrailingSlashes(path).toLowerCase();
  const redirect = redirects.get(declared);
  if (redirect) return redirect;
  if (pages.has(declared)) return { from: declared, to: declared };
  if (gone.has(declared)) return { from: declared, to: null };
  // A file that is not there is not there: a redirect to a page would give machines HTML for an image.
  return asksForFile(path) ? undefined : redirects.get('*');
}

/**
 * Follows redirects until they arrive at a page. As in a browser, an anchor stays until another one takes its place.
 *
 * @param to a path, with or without an anchor.
 * @returns the page's path, with the anchor; undefined when they arrive at none, or go round in circles.
 */
export function followRedirects(to: string, addresses: Addresses): string | undefined {
  const seen = new Set<string>();
  let [path = '', anchor] = to.split('#');
  while (!addresses.pages.has(path)) {
    const next = nextRedirect(path, addresses);
    if (!next?.to || seen.has(path)) return undefined;
    seen.add(path);
    [path = '', anchor = anchor] = next.to.split('#');
  }
  return anchor === undefined ? path : `${path}#${anchor}`;
}
