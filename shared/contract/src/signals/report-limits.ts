/** An edge issues tokens (GET) and accepts reports (POST) here. */
export const SIGNALS_PATH = '/__site/signals';
/** Larger requests are rejected. */
export const MAX_REPORTS = 20;
export const MAX_REPORT_BYTES = 16 * 1024;
/** Views of a document are numbered from 0; later ones are not reported. */
export const LAST_VIEW = 99;
export const MAX_FAULTS = 10;
export const MAX_FAULT_REPORTS = 5;
export const MAX_FORM_REPORTS = 5;

/**
 * The two measured intervals of a view. The first covers failures at opening; failures at a click are mostly
 * in the later one, which only longer views have. Milliseconds since the view was opened.
 */
export const stretchEnds = { first: 5_000, later: 30_000 } as const;
export type Stretch = keyof typeof stretchEnds;
export const stretches = {
  first: { from: 0, to: stretchEnds.first },
  later: { from: stretchEnds.first, to: stretchEnds.later },
} as const;
/**
 * An interval is reported within this time or never: a suspended machine says nothing about the page.
 * Milliseconds.
 */
export const STRETCH_PATIENCE_MS = 3_000;

/** A load's outcomes count for this long after it first showed the page, or until it is hidden or left. */
export const EXPERIMENT_MS = 5 * 60_000;

/** The validity of a report token. Pages that are open for longer request another one. */
export const REPORT_TOKEN_MS = 10 * 60_000;
/** The `Server-Timing` entry with the token of an uncached document. */
export const TOKEN_TIMING = 'view';
