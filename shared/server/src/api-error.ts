export interface ErrorDefinition {
  status: number;
  title: string;
  remedy: string;
}

/** See https://jsonapi.org/format/#error-objects. */
export type ErrorSource = { pointer: string } | { parameter: string } | { header: string };

/** Details of one occurrence. */
export interface ErrorOccurrence {
  source?: ErrorSource;
  cause?: unknown;
  headers?: Record<string, string>;
}

export interface FieldProblem {
  pointer: string;
  detail: string;
}

/**
 * The only error class of the servers. Thrown anywhere below a route, it becomes the response `{ errors: [{
 * status, code, title, detail, source? }] }`. Throw it through a table (`defineErrors`), so that every code
 * is listed once and documented.
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly source: ErrorSource | undefined;
  readonly headers: Record<string, string>;
  readonly fields: FieldProblem[];

  constructor(
    parts: ErrorOccurrence & {
      code: string;
      status: number;
      title: string;
      detail: string;
      fields?: FieldProblem[];
    },
  ) {
    super(`${parts.code}: ${parts.detail}`, parts.cause === undefined ? {} : { cause: parts.cause });
    this.code = parts.code;
    this.status = parts.status;
    this.title = parts.title;
    this.detail = parts.detail;
    this.source = parts.source;
    this.headers = parts.headers ?? {};
    this.fields = parts.fields ?? [];
  }
}

export type ErrorTable<Code extends string> = {
  readonly table: Readonly<Record<Code, ErrorDefinition>>;
} & { readonly [K in Code]: (what: string, occurrence?: ErrorOccurrence) => ApiError };

/**
 * Declares the error table of one boundary. Every code becomes a factory that takes what was wrong with what value; the
 * row's remedy is appended. `npm run docs:generate` lists the rows in `docs/errors.md`.
 *
 * @example
 * const gatewayErrors = defineErrors({
 *   guest_not_found: { status: 404, title: 'No such guest', remedy: 'Create a guest with POST /guests.' },
 *   }); throw gatewayErrors.guest_not_found(`There is no guest "${id}".`);
 */
export function defineErrors<Code extends string>(
  rows: Record<Code, ErrorDefinition>,
): ErrorTable<Exclude<Code, 'table'>> {
  const factories = Object.entries<ErrorDefinition>(rows).map(([code, row]) => [
    code,
    (what: string, occurrence: ErrorOccurrence = {}) =>
      new ApiError({
        code,
        status: row.status,
        title: row.title,
        detail: `${what} ${row.remedy}`,
        ...occurrence,
      }),
  ]);
  return { ...Object.fromEntries(factories), table: rows } as ErrorTable<Exclude<Code, 'table'>>;
}
