import * as v from 'valibot';
import { ReasonSchema } from './reason.schema.ts';

/**
 * What the author of a release says about it, in the requests that make one. (A promotion takes `reason` alone: the rest stays as
 * the canary has it.) Plans, the database, answers and the audit log carry
 * these fields as one object and do not name them. A new one is a line here; it is optional, because stored releases lack it.
 */
export const authorFields = { reason: ReasonSchema };

/** The same, as it is stored and answered. Reasons that the registry writes itself may be longer than those it accepts. */
export const keptAuthorFields = { ...authorFields, reason: v.string() };

export type AuthorFields = v.InferOutput<v.ObjectSchema<typeof keptAuthorFields, undefined>>;

/** Columns of the database have these names. */
export const authorFieldNames = Object.keys(keptAuthorFields) as (keyof AuthorFields)[];

/** The author's fields of a request, a release or a row, and nothing else. Empty ones are left out. */
export function authorFieldsOf(from: {
  [Field in keyof AuthorFields]: AuthorFields[Field] | null;
}): AuthorFields {
  return Object.fromEntries(
    authorFieldNames.filter((name) => (from[name] ?? null) !== null).map((name) => [name, from[name]]),
  ) as AuthorFields;
}
