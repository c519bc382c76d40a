import * as v from 'valibot';
import { textSchema } from './text.schema.ts';

export const ReasonSchema = textSchema('A reason says in a few words why; it stays in the history.', 500);

/**
 * The author's fields in requests that make a release. (A promotion takes only `reason`: the other fields
 * come from the canary.) Plans, the database, responses and the audit log handle them as one object. A new
 * field is one line here; it must be optional, because stored releases lack it.
 */
export const authorFields = { reason: ReasonSchema };

/** As stored and returned. Reasons written by the registry may be longer than accepted ones. */
export const keptAuthorFields = { ...authorFields, reason: v.string() };

export type AuthorFields = v.InferOutput<v.ObjectSchema<typeof keptAuthorFields, undefined>>;

export const authorFieldNames = Object.keys(keptAuthorFields) as (keyof AuthorFields)[];

export function pickAuthorFields(from: {
  [Field in keyof AuthorFields]: AuthorFields[Field] | null;
}): AuthorFields {
  return Object.fromEntries(
    authorFieldNames.filter((name) => (from[name] ?? null) !== null).map((name) => [name, from[name]]),
  ) as AuthorFields;
}
