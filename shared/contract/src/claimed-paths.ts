/** What a remote answers, as its configuration and its manifest both say it. */
export interface PathClaims {
  pages: readonly { path: string }[];
  redirects: readonly { from: string }[];
}

/** Every path that a remote answers: its pages and the sources of its redirects. */
export function claimedPaths({ pages, redirects }: PathClaims): string[] {
  return [...pages.map(({ path }) => path), ...redirects.map(({ from }) => from)];
}
