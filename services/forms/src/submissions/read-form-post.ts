import { isUnknownField, unknownFields } from '@site/contract';
import { MOST_UNKNOWN, unknownField } from '@site/server/validate';
import * as v from 'valibot';
import type { CheckedFields, KnownForm } from './known-form.ts';
import { createSubmission, type CheckedSubmission } from './submission.ts';

export interface PostProblem {
  field: string;
  message: string;
}

export type FormPost =
  { form: KnownForm; submission: CheckedSubmission } | { form: KnownForm; problems: PostProblem[] };

/** Technical fields in addition to a form's own: form, site, and a captcha, which needs JavaScript. */
const TECHNICAL = ['source_id', 'site', 'captcha'];

/** Browsers send a line break as CRLF, but `maxlength` counts it as one and the page's script sends LF. */
export function readFields(body: string): URLSearchParams {
  const fields = [...new URLSearchParams(body)];
  return new URLSearchParams(fields.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]));
}

/**
 * Validates a plain form post with the page's own schema: the first form that accepts it, or else the one
 * with the fewest errors. Unknown fields are rejected, not dropped.
 */
export function readFormPost(posted: URLSearchParams, forms: readonly KnownForm[]): FormPost {
  const read = forms.map((form) => readWith(form, posted));
  const taken = read.find((post) => 'submission' in post);
  return taken ?? read.reduce((least, post) => (countProblems(post) < countProblems(least) ? post : least));
}

const countProblems = (post: FormPost): number => ('problems' in post ? post.problems.length : 0);

function readWith(form: KnownForm, posted: URLSearchParams): FormPost {
  const given = Object.fromEntries([...posted].filter(([name]) => !TECHNICAL.includes(name)));
  const { form: schema } = form.schemas;
  const checked = check(schema, { ...given, ...completed(form, posted) }, posted);
  if ('problems' in checked) return { form, problems: checked.problems };
  const { email, ...fields } = checked.fields;
  return { form, submission: createSubmission(form, email, fields) };
}

/** Browsers omit unchecked boxes, and programs may omit required fields: both become empty. */
function completed({ definition }: KnownForm, posted: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(definition.fields)
      .filter(([name, { optional }]) => !optional || posted.has(name))
      .map(([name, { kind }]) => [
        name,
        kind === 'checkboxes' ? posted.getAll(name) : (posted.get(name) ?? ''),
      ]),
  );
}

function check(
  schema: KnownForm['schemas']['form'],
  values: Record<string, unknown>,
  posted: URLSearchParams,
): { fields: CheckedFields & { email: string } } | { problems: PostProblem[] } {
  const checked = v.safeParse(schema, values, { abortPipeEarly: true });
  const known = (checked.issues ?? []).filter((issue) => !isUnknownField(issue));
  const unknown = unknownFields(schema, values);
  const isUnknown = new Set(unknown);
  const twice = Object.keys(values).filter(
    (name) => !isUnknown.has(name) && !Array.isArray(values[name]) && posted.getAll(name).length > 1,
  );
  const problems = [
    ...toProblems(known),
    ...twice.map((field) => ({ field, message: 'This came more than once. Send one value.' })),
    ...unknown.slice(0, MOST_UNKNOWN).map((field) => ({ field, message: unknownField(field) })),
  ];
  return checked.success && problems.length === 0 ? { fields: checked.output } : { problems };
}

const isFirst = ({ field, message }: PostProblem, index: number, all: PostProblem[]): boolean =>
  all.findIndex((other) => other.field === field && other.message === message) === index;

function toProblems(issues: readonly v.BaseIssue<unknown>[]): PostProblem[] {
  const problems = issues.map(({ path, message }): PostProblem => {
    const [field = ''] = (path ?? []).map(({ key }) => String(key));
    return { field, message };
  });
  return problems.filter(isFirst);
}
