import * as v from 'valibot';
import { ReasonSchema } from './reason.schema.ts';

/**
 * What the author of a release says about it, as the changes take it that make one. Plans, the database, answers and the audit log carry
 * all of it as one, and do not name the fields: a further one is a line here, and optional, for stored releases lack it.
 */
export const authorFields = { reason: ReasonSchema };

/** The same as it is kept and answered. The registry's own reasons may be longer than those it takes. */
export const keptAuthorFields = { ...authorFields, reason: v.string() };

export type AuthorFields = v.InferOutput<v.ObjectSchema<typeof keptAuthorFields, undefined>>;

/** In the database, columns have these names. */
export const authorFieldNames = Object.keys(keptAuthorFields) as (keyof AuthorFields)[];

/** The author's fields of a request, of a release or of a row, and nothing else of it. What is empty is left out. */
export function authorFieldsOf(from: {
  [Field in keyof AuthorFields]: AuthorFields[Field] | null;
}): AuthorFields {
  return Object.fromEntries(
    authorFieldNames.filter((name) => (from[name] ?? null) !== null).map((name) => [name, from[name]]),
  ) as AuthorFields;
}
