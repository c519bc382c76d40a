/** A schema that takes the fields it names, and no others: `v.strictObject(…)`, also as the first of a pipe. */
interface StrictSchema {
  readonly type: string;
  readonly entries?: object;
}

/**
 * All unknown fields of `value`; valibot itself reports only the first. Empty for other schemas or values.
 */
export function unknownFields(schema: StrictSchema, value: unknown): string[] {
  const { entries } = schema;
  if (schema.type !== 'strict_object' || entries === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.keys(value).filter((name) => !Object.hasOwn(entries, name));
}

/** Whether an issue reports an unknown field. */
export function isUnknownField(issue: { readonly type: string; readonly expected: string | null }): boolean {
  return issue.type === 'strict_object' && issue.expected === 'never';
}
