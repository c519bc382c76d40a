import * as v from 'valibot';

/** The parts of a schema, by valibot's names. */
interface Parts {
  entries?: Record<string, v.GenericSchema>;
  options?: readonly unknown[];
  item?: v.GenericSchema;
  key?: v.GenericSchema;
  value?: v.GenericSchema;
  wrapped?: v.GenericSchema;
  pipe?: readonly [v.GenericSchema, ...unknown[]];
}

/**
 * The tolerant version of a schema, for readers: unknown fields are dropped at every depth, where strict
 * objects reject them. Derived from the strict schema, so that there is only one to maintain.
 */
export function tolerant<Schema extends v.GenericSchema>(schema: Schema): Schema {
  return rebuilt(schema) as Schema;
}

function rebuilt(schema: v.GenericSchema): v.GenericSchema {
  const { entries, options, item, key, value, wrapped, pipe } = schema as v.GenericSchema & Parts;
  if (pipe) {
    const [first, ...actions] = pipe;
    // valibot's types are for statically known actions.
    const build = v.pipe as unknown as (...items: readonly unknown[]) => v.GenericSchema;
    return build(rebuilt(first), ...actions.map((item) => (isSchema(item) ? rebuilt(item) : item)));
  }
  if (entries) {
    return v.object(
      Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, rebuilt(entry)])),
    );
  }
  const parts = {
    // The options of a picklist are values, not schemas.
    ...(options ? { options: options.map((option) => (isSchema(option) ? rebuilt(option) : option)) } : {}),
    ...(item ? { item: rebuilt(item) } : {}),
    ...(key ? { key: rebuilt(key) } : {}),
    ...(value ? { value: rebuilt(value) } : {}),
    ...(wrapped ? { wrapped: rebuilt(wrapped) } : {}),
  };
  // valibot's schemas read their parts at run time.
  return Object.keys(parts).length === 0 ? schema : { ...schema, ...parts };
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}
