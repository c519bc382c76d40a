/**
 * How large one version may be. What is beyond that is a mistake or an attack, not a site: registry and edges hold all of a
 * release in memory, and render each page once for every choice of its variants.
 */
export const versionLimits = {
  /** Choices that the variants of one page multiply to: six variants of two values. */
  choices: 64,
  pages: 500,
  /** Pages, each counted once for every choice of its variants. */
  renderings: 2_000,
  redirects: 500,
  assets: 2_000,
  /** Scripts, and as many stylesheets, that the first view of one page needs; and each kind of file of the shell's document. */
  pageFiles: 40,
  /** Forms that it sends. */
  forms: 20,
  /** Fields of one form. */
  formFields: 100,
  /** Fields of a form that it declares, and options of one field. */
  declaredFields: 30,
  formOptions: 300,
  /**
   * Characters that one submission of a declared form may have. A subscription's `form_fields` has 20,000: JSON may need two for
   * one of them, and the captcha's solution 4,000.
   */
  formText: 7_000,
  /** All forms that it declares, as JSON. */
  formBytes: 64_000,
  /** Names of shared modules. */
  ranges: 100,
  /** What a version adds to the table of its release, as JSON: its routes, redirects and names of scripts. */
  tableBytes: 100_000,
  /** All files together, but for source maps. */
  bytes: 64 * 1024 * 1024,
  /** The source maps of all its scripts, as they are stored. Those of the shell have a seventieth of it. */
  sourceMapBytes: 16 * 1024 * 1024,
} as const;

/**
 * How large one document may be. The largest of this site has 180 KB. Edges refuse a release with a larger one, and the
 * registry refuses to make it.
 */
export const documentLimits = {
  /** The HTML of one page with one choice of its variants, inlined styles and release data included. */
  bytes: 1_000_000,
  /** The table of remotes, routes and redirects, which every visitor of a large site fetches. 400 remotes need half of it. */
  tableBytes: 1_000_000,
} as const;

/** What to say of a list that is too long, for `v.maxLength`. */
export const tooMany =
  (what: string) =>
  ({ received, requirement }: { received: string; requirement: number }): string =>
    `There are ${received} ${what}; a version has at most ${requirement}.`;

/** How many combinations a page's variants have, without making them. */
export function choiceCount(variants: Record<string, readonly string[]> = {}): number {
  return Object.values(variants).reduce((count, values) => count * values.length, 1);
}
