import * as v from 'valibot';
import { isReservedPath } from './edge-addresses.ts';
import { mapSchema } from './schema-tools.ts';
import { choiceCount, versionLimits } from './limits.ts';
import { onePlainLine } from './text.schema.ts';

/** Removes the `#anchor`. */
export const withoutAnchor = (to: string): string => to.split('#', 1)[0] ?? '';

/** An absolute path of the site: lower case, no trailing slash, no query. `/` itself is always a redirect. */
export const PagePathSchema = v.pipe(
  v.string(),
  v.maxLength(200, 'A page path has at most 200 characters.'),
  v.regex(
    /^(\/[a-z0-9]+(-[a-z0-9]+)*)+$/,
    'A page path is lower case, starts with "/" and does not end with one, such as "/blocks/auth".',
  ),
  v.check(
    (path) => !isReservedPath(path),
    ({ input }) => `The path "${input}" is reserved for the web server. Choose another path.`,
  ),
);

const variantName = v.pipe(
  v.string(),
  v.maxLength(40, 'The name of a variant has at most 40 characters.'),
  v.regex(/^[a-z][a-zA-Z0-9]*$/, 'A variant is named in camelCase, such as "headline".'),
);
const variantValue = v.pipe(
  v.string(),
  v.maxLength(40, 'A variant value has at most 40 characters.'),
  v.regex(/^[a-z0-9]+$/, 'A variant value is lower-case letters and digits.'),
);

export const VariantChoiceSchema = mapSchema(variantName, variantValue);

/** Variants with their possible values, chosen per page load: `{ headline: ['a', 'b'] }`. */
export const VariantsSchema = v.pipe(
  mapSchema(
    variantName,
    v.pipe(
      v.array(variantValue),
      v.minLength(2, 'A variant needs at least two values to choose from.'),
      v.check((values) => new Set(values).size === values.length, 'A variant value is listed twice.'),
    ),
  ),
  v.check(
    (variants) => choiceCount(variants) <= versionLimits.choices,
    ({ input }) =>
      `The variants of this page multiply to ${choiceCount(input)} choices; a page has at most ` +
      `${versionLimits.choices}.`,
  ),
);
export type Variants = v.InferOutput<typeof VariantsSchema>;

export const OutcomeNameSchema = v.pipe(
  v.string(),
  v.maxLength(40, 'The name of an outcome has at most 40 characters.'),
  v.regex(/^[a-z][a-zA-Z0-9]*$/, 'An outcome is named in camelCase, such as "signUp".'),
  v.check((name) => !(name in {}), 'Choose another name for the outcome.'),
);
const outcome = { name: OutcomeNameSchema };

export const OutcomeSchema = v.variant('on', [
  v.strictObject({ ...outcome, on: v.literal('press') }),
  v.strictObject({ ...outcome, on: v.literal('visit'), path: PagePathSchema }),
  v.strictObject({
    ...outcome,
    on: v.literal('leave'),
    path: v.pipe(
      v.string(),
      v.maxLength(200, 'A path has at most 200 characters.'),
      v.regex(/^\/[\w./-]*$/, 'The path of a link, such as "/auth/register".'),
    ),
  }),
  /** Sends a form. */
  v.strictObject({ ...outcome, on: v.literal('form') }),
]);

export const MAX_OUTCOMES = 8;
/** The first one decides which variant is better. */
export const OutcomesSchema = v.pipe(
  v.array(OutcomeSchema),
  v.minLength(1, 'Name an outcome, or leave "outcomes" out.'),
  v.maxLength(MAX_OUTCOMES, `A page has at most ${MAX_OUTCOMES} outcomes.`),
  v.check(
    (outcomes) => new Set(outcomes.map(({ name }) => name)).size === outcomes.length,
    'Two outcomes have the same name.',
  ),
);
export type Outcomes = v.InferOutput<typeof OutcomesSchema>;

export const RedirectTargetSchema = v.pipe(
  v.string(),
  v.maxLength(250, 'The target of a redirect has at most 250 characters.'),
  v.regex(/^(\/[a-z0-9-]+)+(#[a-z0-9-]+)?$/, 'A redirect leads to a page path, optionally with "#anchor".'),
  v.check(
    (to) => !isReservedPath(withoutAnchor(to)),
    ({ input }) => `The path "${input}" is reserved for the web server: a redirect leads to a page.`,
  ),
);

export const RedirectSchema = v.strictObject({
  from: v.union([PagePathSchema, v.literal('/'), v.literal('*')]),
  to: RedirectTargetSchema,
});
export type Redirect = v.InferOutput<typeof RedirectSchema>;

export const cardSize = { width: 1200, height: 630 } as const;

export const CardTextSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(3, 'A card needs a line to show, such as "Four weeks to your MVP".'),
  v.maxLength(60, 'A card has room for 60 characters.'),
  onePlainLine,
);
