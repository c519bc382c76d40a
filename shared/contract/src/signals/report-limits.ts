/** Where an edge gives tokens (GET), and takes reports (POST). */
export const SIGNALS_PATH = '/__site/signals';
/** A request with more reports, or more bytes, is refused as a whole. */
export const MAX_REPORTS = 20;
export const MAX_REPORT_BYTES = 16 * 1024;
/** The views of one document are numbered from 0; those after the last are not reported. */
export const LAST_VIEW = 99;
/** The most faults reported for one view, and the most reports they take. */
export const MAX_FAULTS = 10;
export const MAX_FAULT_REPORTS = 5;
/** The most forms of a view that are reported. */
export const MAX_FORM_REPORTS = 5;

/**
 * The two stretches of a view that have an outcome each. The first shows a page that fails as it opens; what fails at a click
 * comes mostly in the later one, which only views have that last longer than the first. In milliseconds since the view was opened.
 */
export const stretchEnds = { first: 5_000, later: 30_000 } as const;
export type Stretch = keyof typeof stretchEnds;
export const stretches = {
  first: { from: 0, to: stretchEnds.first },
  later: { from: stretchEnds.first, to: stretchEnds.later },
} as const;
/** A stretch is reported within this time or never: a machine that slept says nothing about how a page works. Milliseconds. */
export const STRETCH_PATIENCE_MS = 3_000;

/** How long an edge takes reports with a token. Pages that are open for longer ask for another one. */
export const REPORT_TOKEN_MS = 10 * 60_000;
/** The `Server-Timing` entry that carries the token of a document that nobody shares. */
export const TOKEN_TIMING = 'view';
