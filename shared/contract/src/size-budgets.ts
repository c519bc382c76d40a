/**
 * What a browser may have to load, in bytes of brotli. `npm run size` holds the build to them, the registry every version
 * that is published.
 */
export const sizeBudgets = {
  /** All scripts of the first view of a page: the shell's, the remote's entry and the page's own. */
  pageScripts: 85_000,
  /** All stylesheets of the first view of a page. */
  pageStyles: 15_000,
  /** The document of a page, with inlined styles, release data and what is rendered. */
  pageDocument: 50_000,
  /** The table of remotes, routes and redirects, where a site is large enough to have one. */
  releaseTable: 200_000,
  /** What loads one remote. */
  remoteEntry: 5_000,
  /** What an entry may have more, and a page with it, when another bundler put a federation runtime into it. Those of 2.9 have 27,000. */
  ownRuntime: 30_000,
  /** Each script of the shell that it fetches after the first view, such as the guest identity. */
  laterScript: 20_000,
  /** What suggests results: fetched when the field of the header is first used. With an answer it is held to 25 KB in `tests/e2e/search.test.ts`. */
  search: 5_000,
  /** What tells the edge how a page went, with the library that measures. */
  signals: 3_072,
  /** All scripts of the first view of the console, and the one with its charts, which it fetches when it shows one. */
  consoleScripts: 150_000,
  consoleCharts: 25_000,
} as const;
