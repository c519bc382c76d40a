import type { Redirect } from './route.schema.ts';
import { withoutTrailingSlashes } from './urls.ts';

export interface PathClaims {
  pages: readonly { path: string }[];
  redirects: readonly { from: string }[];
}

export function claimedPaths({ pages, redirects }: PathClaims): string[] {
  return [...pages.map(({ path }) => path), ...redirects.map(({ from }) => from)];
}

/** File types that programs request. Excludes types that people type (`/home.html`, `/index.php`). */
const fileName =
  /\.(avif|bak|css|csv|gif|gz|ico|jpe?g|js|json|map|mjs|mp4|pdf|png|sql|svg|tar|txt|wasm|webmanifest|webm|webp|woff2?|xml|ya?ml|zip)$/i;

/**
 * Whether an unknown path is a file request. Unknown paths redirect to /home, except file requests, which get
 * 404, so that no program gets a page instead of an image.
 */
export function asksForFile(path: string): boolean {
  return fileName.test(path) || /^\/assets\/|\/\.[^./]/.test(path);
}

export interface Addresses {
  pages: { has(path: string): boolean };
  redirects: { get(from: string): Redirect | undefined };
  /** Paths of retired apps that respond with 410 Gone, despite `*`. */
  gone: { has(path: string): boolean };
}

export interface GoneAddress {
  from: string;
  to: null;
}

export function nextRedirect(
  path: string,
  { pages, redirects, gone }: Addresses,
): Redirect | GoneAddress | undefined {
  const declared = path === '/' ? path : withoutTrailingSlashes(path).toLowerCase();
  const redirect = redirects.get(declared);
  if (redirect) return redirect;
  if (pages.has(declared)) return { from: declared, to: declared };
  if (gone.has(declared)) return { from: declared, to: null };
  return asksForFile(path) ? undefined : redirects.get('*');
}

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
