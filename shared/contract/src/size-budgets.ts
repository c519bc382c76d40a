/**
 * Limits in bytes of brotli. Checked by `npm run size` for the build, and by the registry for every published
 * version.
 */
export const sizeBudgets = {
  /** All scripts of the first view of a page: the shell's, the remote's entry and the page's own. */
  pageScripts: 85_000,
  /** All stylesheets of the first view of a page. */
  pageStyles: 15_000,
  /** The document of a page, with inlined styles, release data and prerendered HTML. */
  pageDocument: 50_000,
  /** The table of remotes, routes and redirects, on sites that are large enough to have one. */
  releaseTable: 200_000,
  /** The entry script of a remote. */
  remoteEntry: 5_000,
  /**
   * Additional size of an entry, and of its pages, with another bundler's federation runtime. Version 2.9 has
   * 27,000.
   */
  ownRuntime: 30_000,
  /** Each script that the shell loads after the first view, such as the guest identity. */
  laterScript: 20_000,
  /**
   * Search suggestions: loaded when the search field is first used. Together with a response limited to 25 KB
   * in `tests/e2e/search.test.ts`.
   */
  search: 5_000,
  /** Page metrics, including the measuring library. */
  signals: 3_072,
  /** All scripts of the console's first view, and the lazily loaded chart script. */
  consoleScripts: 150_000,
  consoleCharts: 25_000,
} as const;
