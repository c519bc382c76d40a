import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { ReasonSchema } from '../author-fields.ts';
import { ReleaseIdSchema, releaseNumber } from '../release.schema.ts';
import { isWholeNumber } from '../text.ts';
import { typedText } from '../typed-text.ts';

export { TimeSchema } from '../timestamp.schema.ts';

/** The maximum of the database's 32-bit integer type. */
export const LARGEST_NUMBER = 2_147_483_647;

/** The maximum page size. Use the response's cursor for the next page. */
export const PAGE = 200;

export const dryRun = { dryRun: v.optional(v.boolean()) };

export const ReasonedRequestSchema = v.strictObject({ reason: ReasonSchema, ...dryRun });
/** See {@link ReasonedRequestSchema}. */
export type ReasonedRequest = v.InferOutput<typeof ReasonedRequestSchema>;

/** Remotes that a release leaves out; never the shell, which every page needs. */
export const WithoutSchema = v.optional(
  v.pipe(
    v.array(
      v.pipe(
        AppNameSchema,
        v.check((app) => app !== 'shell', 'The shell cannot be left out.'),
      ),
    ),
    v.minLength(1),
    v.maxLength(500),
  ),
);

export const wholeNumber = (from: number, to: number, what: string) =>
  v.pipe(
    v.number(),
    v.integer(`${what} is a whole number.`),
    v.minValue(from, `${what} is at least ${from}.`),
    v.maxValue(to, `${what} is at most ${to}.`),
  );

const shown = (value: unknown) => String(value).slice(0, 20);

export const numberInQuery = (name: string, max: number) =>
  v.pipe(
    v.union([v.string(), v.number()]),
    v.check(
      (given) => isWholeNumber(String(given), 1, max),
      ({ input }) => `"${name}" is "${shown(input)}": a whole number from 1 to ${max} is needed.`,
    ),
    v.transform(Number),
  );

export const releaseInQuery = (name: string) =>
  v.pipe(
    v.string(),
    v.check(
      (given) => v.is(ReleaseIdSchema, given),
      ({ input }) => `"${name}" is "${shown(input)}": the id of a release is needed, such as "r12".`,
    ),
  );

export const flagInQuery = (name: string) =>
  v.optional(
    v.pipe(
      v.union([v.string(), v.boolean()]),
      v.check(
        (given) => ['true', 'false'].includes(String(given)),
        ({ input }) => `"${name}" is "${shown(input)}": "true" or "false" is needed.`,
      ),
      v.transform((given) => String(given) === 'true'),
    ),
    false,
  );

export const StoredReleaseIdSchema = v.pipe(
  ReleaseIdSchema,
  v.check((id) => releaseNumber(id) <= LARGEST_NUMBER, 'No release has such a large number.'),
);

export const SearchedTextSchema = v.pipe(
  v.string(),
  v.transform(typedText),
  v.minLength(1, 'Enter a search text.'),
  v.maxLength(100, ({ received }) => `The search text has ${received} characters; the maximum is 100.`),
);
