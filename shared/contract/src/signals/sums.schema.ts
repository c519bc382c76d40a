import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from '../app-name.schema.ts';
import { mapSchema } from '../schema-tools.ts';
import { ChannelNameSchema } from '../release.schema.ts';
import { OutcomeNameSchema, PagePathSchema } from '../route.schema.ts';
import { SECRET } from '../secret.schema.ts';
import { onePlainLine, UuidSchema } from '../text.schema.ts';
import { browserEngines, browserFaultKinds, browserNames, faultEntries, faultKinds } from './fault.ts';
import { FAULT_TEXT_LENGTH } from './fault-message.ts';
import { LAST_BUCKET, SketchSchema } from './sketch.ts';
import { TimestampSchema } from '../timestamp.schema.ts';
import { versionLimits } from '../limits.ts';

/** No batch holds more cells or faults: 500 places in four engines. */
export const MAX_CELLS = 2_000;
export const MAX_FAULT_SUMS = 50;
export const NETWORK_BITS = 256;

const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000_000));
export const vitals = ['lcp', 'inp', 'cls', 'interactive'] as const;
export type Vital = (typeof vitals)[number];

/**
 * The key shared by all edges of a registry: 32 random bytes, base64url. Signs tokens and derives the bits of
 * networks.
 */
export const SignalKeySchema = v.pipe(v.string(), v.regex(SECRET, 'A key is 32 bytes in base64url.'));

/** A bitmap of networks: base64 of `NETWORK_BITS`. Several edges' bitmaps are combined by "or". */
export const NetworksSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9+/]{43}=$/, 'Networks are 32 bytes in base64.'),
);

/** The slowest value of each network, as pairs of its bit and the value's bucket, ascending by bit. */
export const SlowestSchema = v.pipe(
  v.array(
    v.strictTuple([
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(NETWORK_BITS - 1)),
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LAST_BUCKET)),
    ]),
  ),
  v.maxLength(NETWORK_BITS),
  v.check(
    (pairs) => pairs.every(([bit], index) => index === 0 || bit > (pairs[index - 1]?.[0] ?? 0)),
    'Networks ascend, each once.',
  ),
);
export type Slowest = v.InferOutput<typeof SlowestSchema>;

/** Judged vitals. `interactive` is judged only in WebKit, which may not report the others. */
export const judgedVitals = ['lcp', 'inp', 'interactive'] as const;
export type JudgedVital = (typeof judgedVitals)[number];

export const cellKeys = {
  app: AppNameSchema,
  version: VersionIdSchema,
  route: PagePathSchema,
  /** Whether the views were of the canary's release or of the live one; both were open at the same time. */
  role: v.picklist(['canary', 'live']),
  /**
   * `last-good`: the browser fell back to this version. The version that could not be loaded has a faulty view for it.
   */
  build: v.picklist(['live', 'last-good']),
  /** See `stretches`. Vitals and forms belong to the first. */
  stretch: v.picklist(['first', 'later']),
};

/** The loads that showed one choice of a page's variants. */
export const ExperimentSumSchema = v.strictObject({
  /** See `experimentKey` and `variantKey`. */
  variants: v.pipe(v.string(), v.maxLength(2_000)),
  choice: v.pipe(v.string(), v.maxLength(200)),
  views: count,
  reached: mapSchema(OutcomeNameSchema, count),
});
export type ExperimentSum = v.InferOutput<typeof ExperimentSumSchema>;

export const CellSchema = v.strictObject({
  ...cellKeys,
  engine: v.optional(v.picklist(browserEngines), 'other'),
  views: count,
  faults: count,
  /** Of faulty views. Missing if there are none. */
  networks: v.optional(NetworksSchema),
  visitors: v.optional(NetworksSchema),
  formsSent: v.optional(count, 0),
  formsFailed: v.optional(count, 0),
  /** Rejected by the forms service because of the visitor's input. */
  formsRefused: v.optional(count, 0),
  /** The networks that sent forms and vitals; without them, these do not affect the verdict. */
  formSenders: v.optional(NetworksSchema),
  failedFormSenders: v.optional(NetworksSchema),
  lcpSlowest: v.optional(SlowestSchema),
  inpSlowest: v.optional(SlowestSchema),
  /** Only of WebKit. */
  interactiveSlowest: v.optional(SlowestSchema),
  experiments: v.optional(v.pipe(v.array(ExperimentSumSchema), v.maxLength(versionLimits.choices))),
  lcp: v.optional(SketchSchema),
  inp: v.optional(SketchSchema),
  cls: v.optional(SketchSchema),
  interactive: v.optional(SketchSchema),
});
export type Cell = v.InferOutput<typeof CellSchema>;

export const FaultSumSchema = v.strictObject({
  kind: v.picklist([...faultKinds, ...browserFaultKinds]),
  ...faultEntries,
  message: v.pipe(v.string(), v.maxLength(FAULT_TEXT_LENGTH), onePlainLine),
  version: VersionIdSchema,
  route: v.optional(PagePathSchema),
  variant: v.optional(v.pipe(v.string(), v.maxLength(200))),
  count,
  browsers: v.optional(mapSchema(v.picklist(browserNames), count), {}),
});
export type FaultSum = v.InferOutput<typeof FaultSumSchema>;

/** `POST /v1/edges/:edge/signals`: an edge's counts since its previous batch. */
export const EdgeSumsSchema = v.strictObject({
  /** Identifies the edge's process: its batches are numbered from 1 and retried until answered. */
  boot: UuidSchema,
  sequence: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER)),
  at: TimestampSchema,
  channel: ChannelNameSchema,
  cells: v.pipe(v.array(CellSchema), v.maxLength(MAX_CELLS)),
  faults: v.pipe(v.array(FaultSumSchema), v.maxLength(MAX_FAULT_SUMS)),
});
export type EdgeSums = v.InferOutput<typeof EdgeSumsSchema>;
