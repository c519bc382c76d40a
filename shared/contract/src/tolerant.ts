import * as v from 'valibot';

/** The schemas that a schema is made of, by the names that valibot gives them. */
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
 * The same schema for a reader: fields that it does not name are left out at every depth, where a strict object refuses
 * them. Everything else is demanded as before. Made from the strict schema, so that no second one has to be kept in step.
 */
export function tolerant<Schema extends v.GenericSchema>(schema: Schema): Schema {
  return rebuilt(schema) as Schema;
}

function rebuilt(schema: v.GenericSchema): v.GenericSchema {
  const { entries, options, item, key, value, wrapped, pipe } = schema as v.GenericSchema & Parts;
  if (pipe) {
    const [first, ...actions] = pipe;
    // Its own types are for actions that are known one by one.
    const build = v.pipe as unknown as (...items: readonly unknown[]) => v.GenericSchema;
    return build(rebuilt(first), ...actions.map((item) => (isSchema(item) ? rebuilt(item) : item)));
  }
  if (entries) {
    return v.object(
      Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, rebuilt(entry)])),
    );
  }
  const parts = {
    // Those of a picklist are values.
    ...(options ? { options: options.map((option) => (isSchema(option) ? rebuilt(option) : option)) } : {}),
    ...(item ? { item: rebuilt(item) } : {}),
    ...(key ? { key: rebuilt(key) } : {}),
    ...(value ? { value: rebuilt(value) } : {}),
    ...(wrapped ? { wrapped: rebuilt(wrapped) } : {}),
  };
  // A schema of valibot looks for its parts in itself whenever it runs.
  return Object.keys(parts).length === 0 ? schema : { ...schema, ...parts };
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}
