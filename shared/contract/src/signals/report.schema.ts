import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from '../app-name.schema.ts';
import { ReleaseIdSchema } from '../release.schema.ts';
import { PagePathSchema } from '../route.schema.ts';
import { faultEntries, faultKinds } from './fault.ts';
import { LAST_VIEW, MAX_FAULTS, MAX_REPORTS } from './report-limits.ts';

const milliseconds = (to: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(to));
const measured = v.optional(milliseconds(600_000));

/** One opening of one page by one visitor: a full load or a navigation. Nothing in it is about the visitor. */
export const ViewSchema = v.strictObject({
  /** Which view of its document: 0 is the page that was loaded, all others are navigations. */
  number: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LAST_VIEW)),
  route: PagePathSchema,
  app: AppNameSchema,
  /** The version that showed the page, or failed to. */
  version: VersionIdSchema,
  build: v.picklist(['live', 'last-good']),
  /** See `variantKey`. Absent where the page has none. */
  variant: v.optional(v.pipe(v.string(), v.maxLength(200))),
});
export type SignalView = v.InferOutput<typeof ViewSchema>;

/** A fault as a browser reports it. */
export const FaultSchema = v.strictObject({ kind: v.picklist(faultKinds), ...faultEntries });
export type Fault = v.InferOutput<typeof FaultSchema>;

const about = { view: ViewSchema };
export const ReportSchema = v.variant('kind', [
  v.strictObject({
    kind: v.literal('outcome'),
    ...about,
    stretch: v.picklist(['first', 'later']),
    /** Milliseconds since the view was opened: less than the stretch lasts where the page was left or hidden before. */
    age: milliseconds(1_000_000_000),
    /** The apps that had a fault in this stretch. */
    faulty: v.pipe(v.array(AppNameSchema), v.maxLength(10)),
  }),
  v.strictObject({
    kind: v.literal('vitals'),
    ...about,
    /** Milliseconds. */
    lcp: measured,
    inp: measured,
    interactive: measured,
    /** Cumulative layout shift × 1000. */
    cls: v.optional(milliseconds(10_000)),
  }),
  v.strictObject({
    kind: v.literal('form'),
    ...about,
    sent: v.boolean(),
    /** One that was not sent: the forms service had something to say about what the visitor wrote. */
    refused: v.optional(v.literal(true)),
  }),
  v.strictObject({
    kind: v.literal('faults'),
    ...about,
    faults: v.pipe(v.array(FaultSchema), v.minLength(1), v.maxLength(MAX_FAULTS)),
  }),
]);
export type Report = v.InferOutput<typeof ReportSchema>;

/** `POST /__site/signals`: what a browser sends of the views of one document. */
export const SignalsSchema = v.strictObject({
  /** That of the document, or one that `GET /__site/signals` gave. */
  token: v.pipe(v.string(), v.maxLength(100)),
  release: ReleaseIdSchema,
  reports: v.pipe(v.array(ReportSchema), v.minLength(1), v.maxLength(MAX_REPORTS)),
});
export type Signals = v.InferOutput<typeof SignalsSchema>;

/** `GET /__site/signals`. Null while the edge has no key to make one with: then nothing is to be sent. */
export interface SignalsToken {
  token: string | null;
}
