/**
 * Limits of one version. Larger ones are mistakes or attacks: registry and edges keep a release in memory,
 * and render each page once per combination of variants.
 */
export const versionLimits = {
  /** Combinations of one page's variants: six variants with two values. */
  choices: 64,
  pages: 500,
  renderings: 2_000,
  redirects: 500,
  assets: 2_000,
  pageFiles: 40,
  /** Forms that it sends. */
  forms: 20,
  formFields: 100,
  declaredFields: 30,
  formOptions: 300,
  formText: 7_000,
  formBytes: 64_000,
  /** Names of shared modules. */
  ranges: 100,
  tableBytes: 100_000,
  bytes: 64 * 1024 * 1024,
  sourceMapBytes: 16 * 1024 * 1024,
} as const;

/** Edges reject releases beyond these limits, and the registry does not make any. */
export const documentLimits = {
  bytes: 1_000_000,
  tableBytes: 1_000_000,
} as const;

export const tooMany =
  (what: string) =>
  ({ received, requirement }: { received: string; requirement: number }): string =>
    `There are ${received} ${what}; a version has at most ${requirement}.`;

export function choiceCount(variants: Record<string, readonly string[]> = {}): number {
  return Object.values(variants).reduce((count, values) => count * values.length, 1);
}

/**
 * Limits in bytes of brotli. Checked by `npm run size` for the build, and by the registry for every published
 * version.
 */
export const sizeBudgets = {
  pageScripts: 85_000,
  pageStyles: 15_000,
  pageDocument: 50_000,
  /** The table of remotes, routes and redirects, on sites that are large enough to have one. */
  releaseTable: 200_000,
  remoteEntry: 5_000,
  ownRuntime: 30_000,
  laterScript: 20_000,
  /** Search suggestions. Responses are limited to 25 KB in `tests/e2e/search.test.ts`. */
  search: 5_000,
  signals: 3_200,
  consoleScripts: 150_000,
  consoleCharts: 25_000,
} as const;
