import type * as v from 'valibot';

/** Name of a field, or a value of a list → what the version before called it. */
type FormerNames = Readonly<Record<string, string>>;

type FormerNamesIn<Schema> = Schema extends { readonly entries: infer Entries }
  ? { [Name in keyof Entries]?: string }
  : Schema extends { readonly options: readonly (infer Value extends string)[] }
    ? { [Name in Value]?: string }
    : never;

/** As much as has to be known of any schema. */
interface Parts {
  entries?: Record<string, v.GenericSchema>;
  former?: FormerNames;
  item?: v.GenericSchema;
  value?: v.GenericSchema;
  wrapped?: v.GenericSchema;
  pipe?: readonly unknown[];
}

/**
 * The schema of an object whose fields, or of a picklist whose values had other names in the version before. What has only the former
 * name is read as if it had the new one, so that two versions that follow each other understand what the other one says, sends or has
 * stored. What is written has the names that `withFormerNames` gives it. Once no former version is left, the names go from here.
 */
export function renamed<Schema extends v.GenericSchema>(
  schema: Schema,
  former: FormerNamesIn<Schema>,
): Schema {
  const run = schema['~run'];
  return {
    ...schema,
    former,
    '~run'(this: Schema, dataset, config) {
      return run.call(this, { ...dataset, value: withNewNames(dataset.value, formerNamesOf(this)) }, config);
    },
  };
}

/** What the fields of an object, or the values of a picklist, were called in the version before, by their names; see `renamed`. */
export function formerNamesOf(schema: object): FormerNames {
  return (schema as Parts).former ?? {};
}

/** A field that is there under both names keeps both: a strict schema refuses that. */
function withNewNames(value: unknown, former: FormerNames): unknown {
  const names = new Map(Object.entries(former).map(([name, before]) => [before, name]));
  if (typeof value === 'string') return names.get(value) ?? value;
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = names.get(key);
      return [name === undefined || name in value ? key : name, inner];
    }),
  );
}

/**
 * A value as it is written for a reader of the version before, at any depth.
 *
 * @param names `both` for a reader that ignores what it does not know, `former` for a strict one. A value has one name: the former.
 */
export function withFormerNames(schema: v.GenericSchema, value: unknown, names: 'both' | 'former'): unknown {
  const { entries, item, value: values, wrapped, pipe } = schema as Parts;
  const inside = (part: v.GenericSchema) => (inner: unknown) => withFormerNames(part, inner, names);
  if (pipe) return pipe.filter(isSchema).reduce((written, part) => inside(part)(written), value);
  if (wrapped) return inside(wrapped)(value);
  if (item && Array.isArray(value)) return value.map(inside(item));
  if (typeof value === 'string' && !entries) return formerNamesOf(schema)[value] ?? value;
  if (!isFields(value)) return value;
  if (values) return mapFields(value, (key, inner) => [[key, inside(values)(inner)]]);
  if (!entries) return value;
  const former = formerNamesOf(schema);
  return mapFields(withNewNames(value, former) as object, (key, inner) => {
    const part = entries[key];
    const written = part ? inside(part)(inner) : inner;
    const before = former[key];
    if (before === undefined) return [[key, written]];
    return names === 'both'
      ? [
          [key, written],
          [before, written],
        ]
      : [[before, written]];
  });
}

function isFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapFields(value: object, write: (key: string, inner: unknown) => [string, unknown][]): object {
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => write(key, inner)));
}

export function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}
