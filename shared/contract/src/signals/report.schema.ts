import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from '../app-name.schema.ts';
import { MAX_OUTCOMES, OutcomeNameSchema, PagePathSchema } from '../route.schema.ts';
import { faultEntries, faultKinds } from './fault.ts';
import { LAST_VIEW, MAX_FAULTS, MAX_REPORTS } from './report-limits.ts';

const milliseconds = (to: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(to));
const measured = v.optional(milliseconds(600_000));

/** One view of a page: a full load or a navigation. Contains nothing about the visitor. */
export const ViewSchema = v.strictObject({
  /** The number within its document: 0 is the page load, others are navigations. */
  number: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LAST_VIEW)),
  route: PagePathSchema,
  app: AppNameSchema,
  version: VersionIdSchema,
  build: v.picklist(['live', 'last-good']),
  variant: v.optional(v.pipe(v.string(), v.maxLength(200))),
});
export type SignalView = v.InferOutput<typeof ViewSchema>;

export const FaultSchema = v.strictObject({ kind: v.picklist(faultKinds), ...faultEntries });
export type Fault = v.InferOutput<typeof FaultSchema>;

const about = { view: ViewSchema };
export const ReportSchema = v.variant('kind', [
  v.strictObject({
    kind: v.literal('outcome'),
    ...about,
    stretch: v.picklist(['first', 'later']),
    age: milliseconds(1_000_000_000),
    /** The apps with a fault in this interval. */
    faulty: v.pipe(v.array(AppNameSchema), v.maxLength(10)),
  }),
  v.strictObject({
    kind: v.literal('vitals'),
    ...about,
    /** Milliseconds. */
    lcp: measured,
    inp: measured,
    interactive: measured,
    cls: v.optional(milliseconds(10_000)),
  }),
  v.strictObject({
    kind: v.literal('form'),
    ...about,
    sent: v.boolean(),
    refused: v.optional(v.literal(true)),
  }),
  v.strictObject({
    kind: v.literal('experiment'),
    ...about,
    /** Each once. */
    reached: v.pipe(v.array(OutcomeNameSchema), v.maxLength(MAX_OUTCOMES)),
  }),
  v.strictObject({
    kind: v.literal('faults'),
    ...about,
    faults: v.pipe(v.array(FaultSchema), v.minLength(1), v.maxLength(MAX_FAULTS)),
  }),
]);
export type Report = v.InferOutput<typeof ReportSchema>;

/** `POST /__site/signals`: a browser's reports about the views of one document. */
export const SignalsSchema = v.strictObject({
  token: v.pipe(v.string(), v.maxLength(100)),
  /** Its `documentKey`. */
  document: v.pipe(v.string(), v.maxLength(200)),
  reports: v.pipe(v.array(ReportSchema), v.minLength(1), v.maxLength(MAX_REPORTS)),
});
export type Signals = v.InferOutput<typeof SignalsSchema>;

export interface SignalsToken {
  token: string | null;
}
