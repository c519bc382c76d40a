/** See `docs/errors.md`. */
export const composeErrorCodes = [
  'compose_shell_invalid',
  'compose_remote_invalid',
  'compose_page_missing',
  'compose_page_failed',
  'compose_page_invalid',
  'compose_page_timeout',
  'compose_page_exited',
  'compose_out_of_memory',
  /** Not caused by the version: a retry may succeed. */
  'compose_unavailable',
  'compose_busy',
] as const;
export type ComposeErrorCode = (typeof composeErrorCodes)[number];

/** `path` and `variant` are null while a bundle was being loaded. */
export interface ComposePlace {
  app: string;
  path: string | null;
  variant: string | null;
}

export const appPlace = (app: string): ComposePlace => ({ app, path: null, variant: null });

/** The message names app, page, variant and cause. */
export class ComposeError extends Error {
  override name = 'ComposeError';
  readonly code: ComposeErrorCode;
  readonly app: string;
  readonly path: string | null;
  readonly variant: string | null;
  readonly problem: string;
  readonly detail: string;

  constructor(code: ComposeErrorCode, place: ComposePlace, problem: string, options?: ErrorOptions) {
    const detail = `${describePage(place)}${problem}`;
    super(`${place.app}: ${detail}`, options);
    this.problem = problem;
    this.detail = detail;
    this.code = code;
    this.app = place.app;
    this.path = place.path;
    this.variant = place.variant;
  }
}

function describePage({ path, variant }: ComposePlace): string {
  if (path === null) return '';
  return variant === null ? `the page ${path} ` : `the page ${path} with ${variant} `;
}
