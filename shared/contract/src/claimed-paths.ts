/** The paths in a remote's configuration and manifest. */
export interface PathClaims {
  pages: readonly { path: string }[];
  redirects: readonly { from: string }[];
}

/** All paths of a remote: its pages and the sources of its redirects. */
export function claimedPaths({ pages, redirects }: PathClaims): string[] {
  return [...pages.map(({ path }) => path), ...redirects.map(({ from }) => from)];
}
