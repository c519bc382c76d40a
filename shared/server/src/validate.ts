import * as v from 'valibot';
import type { FieldProblem } from './api-error.ts';
import { bodyInvalid } from './base-errors.ts';

/** The issues of a schema as JSON pointers (RFC 6901) below `prefix`. */
export function fieldProblems(issues: readonly v.BaseIssue<unknown>[], prefix: string = ''): FieldProblem[] {
  return issues.map((issue) => ({ pointer: `${prefix}${pointerOf(issue)}`, detail: sentence(issue) }));
}

/**
 * Parses a request body by a schema. Of each field the first broken rule is reported.
 *
 * @throws ApiError `body_invalid` (422) that lists every field that breaks a rule.
 */
export function parseBody<Schema extends v.GenericSchema>(
  schema: Schema,
  body: unknown,
  prefix: string = '',
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, body, { abortPipeEarly: true });
  if (!result.success) throw bodyInvalid(fieldProblems(result.issues, prefix));
  return result.output;
}

function pointerOf(issue: v.BaseIssue<unknown>): string {
  return (issue.path ?? [])
    .map((item) => `/${String(item.key).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

function sentence(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'The field is missing.';
  return issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
}
