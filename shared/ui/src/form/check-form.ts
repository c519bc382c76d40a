export type FormValues = Readonly<Record<string, string | readonly string[]>>;

export interface FieldIssue {
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

/**
 * Validates a form with the service's schema. Returns at most one issue per field, which names each wrong entry of a
 * list.
 */
export function checkForm(schema: FormSchema, values: FormValues): CheckedForm {
  // The forms' schemas are synchronous, so the result is never a promise.
  const result = schema['~standard'].validate(values) as
    { issues: readonly SchemaIssue[] } | { issues?: undefined; value: Record<string, unknown> };
  if (!result.issues) return { ok: true, output: result.value };
  const messages = new Map<string | null, Map<string | undefined, string>>();
  for (const { path, message } of result.issues) {
    const [field = null, entry] = (path ?? []).map(pathKey);
    const found = messages.get(field) ?? new Map<string | undefined, string>();
    if (!found.has(entry)) messages.set(field, found.set(entry, message));
  }
  const issues = [...messages].map(([field, found]) => ({
    field,
    message: [...new Set(found.values())].join(' '),
  }));
  return { ok: false, issues: sortByField(values, issues) };
}

function pathKey(part: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof part === 'object' ? part.key : part);
}

function sortByField(values: FormValues, issues: FieldIssue[]): FieldIssue[] {
  const names = Object.keys(values);
  const place = ({ field }: FieldIssue) =>
    field !== null && names.includes(field) ? names.indexOf(field) : names.length;
  return issues.sort((a, b) => place(a) - place(b));
}
