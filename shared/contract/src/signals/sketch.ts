import * as v from 'valibot';

/**
 * Bounds of neighbouring buckets differ by this factor, so a percentile is wrong by at most 2.4 %: (γ − 1) / (γ + 1), as in DDSketch
 * (Masson, Rim, Lee: "DDSketch", VLDB 2019). It is what the guard tolerates, so that its limits lie on bounds.
 */
const GAMMA = 1.05;
const LN_GAMMA = Math.log(GAMMA);
/** The bucket of everything above the largest value that a report can hold. */
export const LAST_BUCKET = 250;

/**
 * How often values of about the same size were seen: pairs of bucket and count, ascending. Sketches add up bucket by bucket, and a
 * reader may count what lies above a bound, which the formats of libraries hide.
 */
export const SketchSchema = v.pipe(
  v.array(
    v.strictTuple([
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LAST_BUCKET)),
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER)),
    ]),
  ),
  v.check(
    (pairs) => pairs.every(([bucket], index) => index === 0 || bucket > (pairs[index - 1]?.[0] ?? 0)),
    'The buckets of a sketch ascend, each once.',
  ),
);
export type Sketch = v.InferOutput<typeof SketchSchema>;

/** The bucket of a value: 0 for up to 1, else the n with γⁿ⁻¹ < value ≤ γⁿ. */
export function bucketOf(value: number): number {
  return value <= 1 ? 0 : Math.min(LAST_BUCKET, Math.ceil(Math.log(value) / LN_GAMMA));
}

/** The largest value in a bucket. The smallest is above that of the bucket before. */
export function boundOf(bucket: number): number {
  return GAMMA ** bucket;
}

/** The value that stands for all in a bucket. */
export function valueOf(bucket: number): number {
  return bucket === 0 ? 1 : (2 * GAMMA ** bucket) / (GAMMA + 1);
}

/** Both together. */
export function addSketches(one: Sketch, other: Sketch): Sketch {
  const counts = new Map(one);
  for (const [bucket, count] of other) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  return [...counts].sort(([a], [b]) => a - b);
}

/** How many values a sketch holds. */
export function countOf(sketch: Sketch): number {
  return sketch.reduce((sum, [, count]) => sum + count, 0);
}

/** @param share from 0 to 1: 0.75 for the 75th percentile. Null where nothing was measured. */
export function percentile(sketch: Sketch, share: number): number | null {
  const rank = share * (countOf(sketch) - 1);
  let seen = 0;
  for (const [bucket, count] of sketch) {
    seen += count;
    if (seen > rank) return valueOf(bucket);
  }
  return null;
}
