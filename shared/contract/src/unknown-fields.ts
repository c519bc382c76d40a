/** A schema that takes the fields it names, and no others: `v.strictObject(…)`, also as the first of a pipe. */
interface StrictSchema {
  readonly type: string;
  readonly entries?: object;
}

/**
 * The fields of `value` that a strict object's schema does not name: all of them, where the schema itself reports the
 * first. Empty for any other schema or value.
 */
export function unknownFields(schema: StrictSchema, value: unknown): string[] {
  const { entries } = schema;
  if (schema.type !== 'strict_object' || entries === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.keys(value).filter((name) => !Object.hasOwn(entries, name));
}

/** Whether an issue is the one that a strict object's schema has with a field that it does not name. */
export function isUnknownField(issue: { readonly type: string; readonly expected: string | null }): boolean {
  return issue.type === 'strict_object' && issue.expected === 'never';
}
