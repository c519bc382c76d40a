import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from '../app-name.schema.ts';
import { ReleaseIdSchema } from '../release.schema.ts';
import { PagePathSchema } from '../route.schema.ts';
import { faultEntries, faultKinds } from './fault.ts';

/** A request with more reports, or more bytes, is refused as a whole. */
export const MAX_REPORTS = 20;
export const MAX_REPORT_BYTES = 16 * 1024;
/** The views of one document are numbered from 0; those after the last are not reported. */
export const LAST_VIEW = 99;
/** So many faults of a view are told at most, in so many reports. */
export const MAX_FAULTS = 10;
export const MAX_FAULT_REPORTS = 5;
/** So many forms of a view are told of at most. */
export const MAX_FORM_REPORTS = 5;

/**
 * The two stretches of a view that have an outcome each. The first tells of a page that fails as it opens; what fails at a click
 * comes mostly in the later one, which only views have that last longer than the first. In milliseconds since the view was opened.
 */
export const stretches = { first: { from: 0, to: 5_000 }, later: { from: 5_000, to: 30_000 } } as const;
export type Stretch = keyof typeof stretches;
/** A stretch is told of by then or never: a machine that slept tells nothing of how a page works. Milliseconds. */
export const STRETCH_PATIENCE_MS = 3_000;

const milliseconds = (to: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(to));
const measured = v.optional(milliseconds(120_000));

/** One opening of one page by one visitor: a full load or a navigation. Nothing in it is about the visitor. */
export const ViewSchema = v.strictObject({
  /** Which view of its document: 0, 1, … */
  number: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LAST_VIEW)),
  route: PagePathSchema,
  app: AppNameSchema,
  /** The version that showed the page. */
  version: VersionIdSchema,
  build: v.picklist(['live', 'last-good']),
  opened: v.picklist(['load', 'navigation']),
  /** See `variantKey`. Absent where the page has none. */
  variant: v.optional(v.pipe(v.string(), v.maxLength(200))),
});
export type SignalView = v.InferOutput<typeof ViewSchema>;

/** A fault as a browser tells of it. */
export const FaultSchema = v.strictObject({ kind: v.picklist(faultKinds), ...faultEntries });
export type Fault = v.InferOutput<typeof FaultSchema>;

const about = { view: ViewSchema };
export const ReportSchema = v.variant('kind', [
  v.pipe(
    v.strictObject({
      kind: v.literal('outcome'),
      ...about,
      stretch: v.picklist(['first', 'later']),
      /** Milliseconds since the view was opened: less than the stretch lasts where the page was left or hidden before. */
      age: milliseconds(120_000),
      /** The apps that had a fault in this stretch. */
      faulty: v.pipe(v.array(AppNameSchema), v.maxLength(5)),
    }),
    v.check(
      ({ stretch, age }) =>
        age >= stretches[stretch].from && age <= stretches[stretch].to + STRETCH_PATIENCE_MS,
      'An outcome is told when its stretch ends or the view before it.',
    ),
  ),
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
  v.strictObject({ kind: v.literal('form'), ...about, sent: v.boolean() }),
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
/** The `Server-Timing` entry that carries the token of a document that nobody shares. */
export const TOKEN_TIMING = 'view';
