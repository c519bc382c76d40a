import * as v from 'valibot';

type NameSchema = v.BaseSchema<string, string, v.BaseIssue<unknown>>;

/** Keys that `v.record` silently drops. */
const LEFT_OUT = ['__proto__', 'prototype', 'constructor'];

/**
 * A map: author-chosen names → values. Use this instead of `v.record`, which silently drops keys such as
 * `__proto__`, so that the parsed value would differ from the sent one.
 */
export function mapSchema<Name extends NameSchema, Value extends v.GenericSchema>(name: Name, value: Value) {
  // oxlint-disable-next-line eslint-js/no-restricted-syntax -- this is the one place
  const map = v.record(name, value);
  return v.pipe(
    v.unknown(),
    // For OpenAPI documents.
    v.metadata({ map }),
    v.check(
      (input) => leftOut(input) === undefined,
      ({ input }) => `The name "${leftOut(input) ?? ''}" is not allowed here. Choose another name.`,
    ),
    map,
  );
}

function leftOut(input: unknown): string | undefined {
  return typeof input === 'object' && input !== null
    ? LEFT_OUT.find((name) => Object.hasOwn(input, name))
    : undefined;
}

interface Parts {
  entries?: Record<string, v.GenericSchema>;
  options?: readonly unknown[];
  item?: v.GenericSchema;
  key?: v.GenericSchema;
  value?: v.GenericSchema;
  wrapped?: v.GenericSchema;
  pipe?: readonly [v.GenericSchema, ...unknown[]];
}

/** The tolerant version of a strict schema, for readers: unknown fields are dropped at every depth. */
export function tolerant<Schema extends v.GenericSchema>(schema: Schema): Schema {
  return rebuilt(schema) as Schema;
}

function rebuilt(schema: v.GenericSchema): v.GenericSchema {
  const { entries, options, item, key, value, wrapped, pipe } = schema as v.GenericSchema & Parts;
  if (pipe) {
    const [first, ...actions] = pipe;
    const build = v.pipe as unknown as (...items: readonly unknown[]) => v.GenericSchema;
    return build(rebuilt(first), ...actions.map((item) => (isSchema(item) ? rebuilt(item) : item)));
  }
  if (entries) {
    return v.object(
      Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, rebuilt(entry)])),
    );
  }
  const parts = {
    ...(options ? { options: options.map((option) => (isSchema(option) ? rebuilt(option) : option)) } : {}),
    ...(item ? { item: rebuilt(item) } : {}),
    ...(key ? { key: rebuilt(key) } : {}),
    ...(value ? { value: rebuilt(value) } : {}),
    ...(wrapped ? { wrapped: rebuilt(wrapped) } : {}),
  };
  return Object.keys(parts).length === 0 ? schema : { ...schema, ...parts };
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}

interface StrictSchema {
  readonly type: string;
  readonly entries?: object;
}

/** All unknown fields; valibot itself reports only the first. Empty for other schemas or values. */
export function unknownFields(schema: StrictSchema, value: unknown): string[] {
  const { entries } = schema;
  if (schema.type !== 'strict_object' || entries === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.keys(value).filter((name) => !Object.hasOwn(entries, name));
}

export function isUnknownField(issue: { readonly type: string; readonly expected: string | null }): boolean {
  return issue.type === 'strict_object' && issue.expected === 'never';
}
