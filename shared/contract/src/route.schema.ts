import * as v from 'valibot';

/** An absolute path of the site: lower case, no trailing slash, no query. `/` itself is only ever a redirect. */
export const PagePathSchema = v.pipe(
  v.string(),
  v.regex(
    /^(\/[a-z0-9]+(-[a-z0-9]+)*)+$/,
    'A page path is lower case, starts with "/" and does not end with one, such as "/blocks/auth".',
  ),
);

/** Names of things drawn per load, each with its possible values: `{ headline: ['a', 'b'] }`. */
export const VariantsSchema = v.record(
  v.pipe(v.string(), v.regex(/^[a-z][a-zA-Z0-9]*$/, 'A variant is named in camelCase, such as "headline".')),
  v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[a-z0-9]+$/, 'A variant value is lower-case letters and digits.'))),
    v.minLength(2, 'A variant needs at least two values to choose from.'),
    v.check((values) => new Set(values).size === values.length, 'A variant value is listed twice.'),
  ),
);
export type Variants = v.InferOutput<typeof VariantsSchema>;

/** One redirect. `from` is a path, `/` for the empty path, or `*` for every path that no app owns. */
export const RedirectSchema = v.strictObject({
  from: v.union([PagePathSchema, v.literal('/'), v.literal('*')]),
  to: v.pipe(
    v.string(),
    v.regex(/^(\/[a-z0-9-]+)+(#[a-z0-9-]+)?$/, 'A redirect leads to a page path, optionally with "#anchor".'),
  ),
});
export type Redirect = v.InferOutput<typeof RedirectSchema>;
