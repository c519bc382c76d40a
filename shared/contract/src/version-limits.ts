/**
 * Limits of one version. Larger ones are mistakes or attacks: registry and edges keep a release in memory,
 * and render each page once per combination of variants.
 */
export const versionLimits = {
  /** Combinations of one page's variants: six variants with two values. */
  choices: 64,
  pages: 500,
  /** Pages times combinations of variants. */
  renderings: 2_000,
  redirects: 500,
  assets: 2_000,
  /**
   * Scripts, and as many stylesheets, of the first view of a page; and each kind of file of the shell's
   * document.
   */
  pageFiles: 40,
  /** Forms that it sends. */
  forms: 20,
  /** Fields of one form. */
  formFields: 100,
  /** Fields of a declared form, and options of one field. */
  declaredFields: 30,
  formOptions: 300,
  /**
   * Characters of one submission of a declared form. A subscription's `form_fields` has 20,000: JSON may need
   * two per character, and the captcha's solution 4,000.
   */
  formText: 7_000,
  /** All declared forms as JSON. */
  formBytes: 64_000,
  /** Names of shared modules. */
  ranges: 100,
  /** A version's part of the release table as JSON: its routes, redirects and script names. */
  tableBytes: 100_000,
  /** All files except source maps. */
  bytes: 64 * 1024 * 1024,
  /** All stored source maps. The shell's have a seventieth of it. */
  sourceMapBytes: 16 * 1024 * 1024,
} as const;

/**
 * Limits of a document. The largest of this site has 180 KB. Edges reject releases beyond them, and the
 * registry does not make any.
 */
export const documentLimits = {
  /** The HTML of one page with inlined styles and release data. */
  bytes: 1_000_000,
  /**
   * The table of remotes, routes and redirects, which visitors of large sites fetch. 400 remotes need half of
   * it.
   */
  tableBytes: 1_000_000,
} as const;

/** The message for a list that is too long, for `v.maxLength`. */
export const tooMany =
  (what: string) =>
  ({ received, requirement }: { received: string; requirement: number }): string =>
    `There are ${received} ${what}; a version has at most ${requirement}.`;

/** The number of combinations of a page's variants. */
export function choiceCount(variants: Record<string, readonly string[]> = {}): number {
  return Object.values(variants).reduce((count, values) => count * values.length, 1);
}
