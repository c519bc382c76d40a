import { entryProblem, splitEmails } from '@site/contract/forms/email.schema';

/** The values of a form: a list for a checkbox group, text for all other fields. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

export interface FieldIssue {
  /** The field's name. Null for the whole form. */
  field: string | null;
  message: string;
}

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * A schema of `@site/contract`, through the interface that validation libraries share (https://standardschema.dev). The
 * form is independent of the library.
 */
export interface FormSchema {
  readonly '~standard': {
    readonly validate: (value: unknown) => unknown;
  };
}

export type CheckedForm =
  { ok: true; output: Readonly<Record<string, unknown>> } | { ok: false; issues: FieldIssue[] };

/** Validates a form with the service's schema. Returns at most one issue per field. */
export function checkForm(schema: FormSchema, values: FormValues): CheckedForm {
  // The forms' schemas are synchronous, so the result is never a promise.
  const result = schema['~standard'].validate(values) as
    { issues: readonly SchemaIssue[] } | { issues?: undefined; value: Record<string, unknown> };
  if (!result.issues) return { ok: true, output: result.value };
  const issues = new Map<string | null, FieldIssue>();
  for (const issue of result.issues) {
    const [field = null, item] = (issue.path ?? []).map(keyOf);
    if (!issues.has(field))
      issues.set(field, { field, message: explain(issue.message, field, item, values) });
  }
  return { ok: false, issues: inOrderOf(values, [...issues.values()]) };
}

function keyOf(part: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof part === 'object' ? part.key : part);
}

/** Names the invalid entry of a field with several ("a@example.com, b@"). */
function explain(
  message: string,
  field: string | null,
  item: string | undefined,
  values: FormValues,
): string {
  const text = field === null ? undefined : values[field];
  if (item === undefined || typeof text !== 'string') return message;
  const entry = splitEmails(text)[Number(item)];
  return entry === undefined ? message : entryProblem(entry, message);
}

/** Sorts issues by the order of the fields. */
function inOrderOf(values: FormValues, issues: FieldIssue[]): FieldIssue[] {
  const names = Object.keys(values);
  const place = ({ field }: FieldIssue) =>
    field !== null && names.includes(field) ? names.indexOf(field) : names.length;
  return issues.sort((a, b) => place(a) - place(b));
}
