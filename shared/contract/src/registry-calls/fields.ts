import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { ReasonSchema } from '../reason.schema.ts';
import { ReleaseIdSchema, releaseNumber } from '../release.schema.ts';
import { isWholeNumber } from '../whole-number.ts';

export { TimeSchema } from '../timestamp.schema.ts';

/** No number of the database is larger: its type holds 31 bits. */
export const LARGEST_NUMBER = 2_147_483_647;

/** No answer holds more items of a list. To read on, ask again with the cursor of the answer. */
export const PAGE = 200;

/** In the body of a change that may run dry: everything is checked (and rendered), nothing is changed. */
export const dryRun = { dryRun: v.optional(v.boolean()) };

/** The body of a change for which its author gives a reason and nothing else, such as a removal. */
export const ReasonedRequestSchema = v.strictObject({ reason: ReasonSchema, ...dryRun });
/** Of {@link ReasonedRequestSchema}. */
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

/** A whole number in a body. */
export const wholeNumber = (from: number, to: number, what: string) =>
  v.pipe(
    v.number(),
    v.integer(`${what} is a whole number.`),
    v.minValue(from, `${what} is at least ${from}.`),
    v.maxValue(to, `${what} is at most ${to}.`),
  );

const shown = (value: unknown) => String(value).slice(0, 20);

/** A whole number from 1 in the query. A client may give it as a number. */
export const numberInQuery = (name: string, max: number) =>
  v.pipe(
    v.union([v.string(), v.number()]),
    v.check(
      (given) => isWholeNumber(String(given), 1, max),
      ({ input }) => `"${name}" is "${shown(input)}": a whole number from 1 to ${max} is needed.`,
    ),
    v.transform(Number),
  );

/** The id of a release in the query. */
export const releaseInQuery = (name: string) =>
  v.pipe(
    v.string(),
    v.check(
      (given) => v.is(ReleaseIdSchema, given),
      ({ input }) => `"${name}" is "${shown(input)}": the id of a release is needed, such as "r12".`,
    ),
  );

/** Yes or no in the query. A client may give it as a boolean. */
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

/** A larger number cannot be a release: the column's type does not hold it. */
export const StoredReleaseIdSchema = v.pipe(
  ReleaseIdSchema,
  v.check((id) => releaseNumber(id) <= LARGEST_NUMBER, 'No release has such a large number.'),
);

/** What people look for. */
export const SearchedTextSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Say what to look for.'),
  v.maxLength(100, ({ received }) => `The text has ${received} characters: look for at most 100.`),
);
