import { asksForFile } from './file-address.ts';
import type { Redirect } from './route.schema.ts';
import { withoutTrailingSlashes } from './trailing-slashes.ts';

/** The paths of a release, in lower case without a trailing slash. */
export interface Addresses {
  pages: { has(path: string): boolean };
  /** By `from`, including `/` and `*`. */
  redirects: { get(from: string): Redirect | undefined };
  /** Paths of retired apps that respond with 410 Gone, despite `*`. */
  gone: { has(path: string): boolean };
}

/** A path that responds with 410 Gone. */
export interface GoneAddress {
  from: string;
  to: null;
}

/**
 * The next redirect of a path that is not a page. Case and trailing slashes are ignored; `//` is not the
 * root.
 * @returns a redirect of the release, or one to the page's canonical path; undefined for unknown paths.
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
  // A missing file must be 404: a redirect to a page would return HTML for an image.
  return asksForFile(path) ? undefined : redirects.get('*');
}

/**
 * Follows redirects to a page. As in browsers, an anchor is kept until another one replaces it.
 * @param to a path, with or without an anchor.
 * @returns the page's path with the anchor; undefined for unknown paths and loops.
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
