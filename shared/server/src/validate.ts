import { isUnknownField, unknownFields } from '@site/contract';
import * as v from 'valibot';
import type { FieldProblem } from './api-error.ts';
import { bodyInvalid } from './base-errors.ts';

export const MOST_UNKNOWN = 20;

export const unknownField = (name: string): string =>
  `The service does not know the field “${name.slice(0, 100)}”, so nothing was stored.`;

function fieldProblems(issues: readonly v.BaseIssue<unknown>[], prefix: string): FieldProblem[] {
  return issues.map((issue) => ({ pointer: `${prefix}${jsonPointer(issue)}`, detail: sentence(issue) }));
}

/**
 * Parses a request body with a schema. Reports the first error of each field; strict schemas also reject
 * unknown fields, so that nothing is dropped silently.
 * @throws ApiError `body_invalid` (422) with every invalid field.
 */
export function parseBody<Schema extends v.GenericSchema>(
  schema: Schema,
  body: unknown,
  prefix: string = '',
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, body, { abortPipeEarly: true });
  const unknown = unknownFields(schema, body);
  if (result.success && unknown.length === 0) return result.output;
  // Unknown fields at the top level are listed below; nested ones keep the schema's own message.
  const isListed = (issue: v.BaseIssue<unknown>) =>
    isUnknownField(issue) && issue.path?.length === 1 && unknown.includes(String(issue.path[0].key));
  const known = (result.issues ?? []).filter((issue) => !isListed(issue));
  throw bodyInvalid([
    ...fieldProblems(known, prefix),
    ...unknown.slice(0, MOST_UNKNOWN).map((name) => ({
      pointer: `${prefix}/${pointerPart(name.slice(0, 100))}`,
      detail: unknownField(name),
    })),
  ]);
}

function jsonPointer(issue: v.BaseIssue<unknown>): string {
  return (issue.path ?? []).map(({ key }) => `/${pointerPart(String(key))}`).join('');
}

const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

export function sentence(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'The field is missing.';
  const message = lengthProblem(issue) ?? issue.message;
  return message.endsWith('.') ? message : `${message}.`;
}

/** For length rules without their own message, because valibot's names neither the value nor the unit. */
function lengthProblem(issue: v.BaseIssue<unknown>): string | null {
  if (!issue.message.startsWith('Invalid length:')) return null;
  const { type, input, requirement } = issue as v.BaseIssue<{ length: number }> & { requirement: unknown };
  if (typeof requirement !== 'number') return null;
  const path = v.getDotPath(issue);
  const [one, many] = typeof input === 'string' ? ['character', 'characters'] : ['entry', 'entries'];
  const has = `${input.length} ${input.length === 1 ? one : many}`;
  const bound = { max_length: 'at most', min_length: 'at least' }[type] ?? 'exactly';
  return `${path === null ? 'The value' : `"${path}"`} has ${has}; it must have ${bound} ${requirement}.`;
}
