import { InboxCursorSchema } from '@site/contract/inbox.schema';
import { baseErrors } from '@site/server/base-errors';
import { jsonApiCall } from '@site/server/json-api-call';
import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';

/** How many come with one answer. */
export const pageSizeSchema = (byDefault: number, most: number) =>
  v.pipe(
    v.optional(v.string(), String(byDefault)),
    v.regex(/^\d{1,4}$/, `Give a whole number from 1 to ${most}.`),
    v.transform(Number),
    v.minValue(1, `Give a whole number from 1 to ${most}.`),
    v.maxValue(most, `Give a whole number from 1 to ${most}.`),
  );

/** Where a list goes on. */
export const cursorSchema = v.pipe(
  InboxCursorSchema,
  v.transform((text) => {
    const [at = '', id = ''] = text.split('~');
    return { at: new Date(Number(at)), id };
  }),
);

export const cursorOf = (at: Date, id: string): string => `${at.getTime()}~${id}`;

type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** The options of a route that takes this query. JSON:API keeps names of small letters, with brackets or without, for itself. */
export const ofQuery = (schema: QuerySchema) => jsonApiCall({ query: Object.keys(schema.entries) });

/** @throws ApiError `request_malformed` that names the parameter. */
export function readQuery<Schema extends QuerySchema>(
  schema: Schema,
  request: FastifyRequest,
): v.InferOutput<Schema> {
  const query = v.safeParse(schema, request.query);
  if (query.success) return query.output;
  const [issue] = query.issues;
  const parameter = v.getDotPath(issue) ?? '';
  throw baseErrors.request_malformed(`"${parameter}" cannot be read. ${issue.message}`, {
    source: { parameter },
  });
}
