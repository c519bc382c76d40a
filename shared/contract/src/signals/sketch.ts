import * as v from 'valibot';

const GAMMA = 1.05;
const LN_GAMMA = Math.log(GAMMA);
/** The bucket of all values above a report's maximum. */
export const LAST_BUCKET = 250;

/**
 * A histogram: pairs of bucket and count, ascending. Sketches can be added bucket by bucket, and values above
 * a bound can be counted, which library formats hide.
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

export function sketchBucket(value: number): number {
  return value <= 1 ? 0 : Math.min(LAST_BUCKET, Math.ceil(Math.log(value) / LN_GAMMA));
}

/** The largest value of a bucket. Exclusive lower bound: the previous bucket's. */
export function bucketBound(bucket: number): number {
  return GAMMA ** bucket;
}

export function bucketValue(bucket: number): number {
  return bucket === 0 ? 1 : (2 * GAMMA ** bucket) / (GAMMA + 1);
}

export function addSketches(one: Sketch, other: Sketch): Sketch {
  const counts = new Map(one);
  for (const [bucket, count] of other) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  return [...counts].sort(([a], [b]) => a - b);
}

export function sketchCount(sketch: Sketch): number {
  return sketch.reduce((sum, [, count]) => sum + count, 0);
}

export function percentile(sketch: Sketch, share: number): number | null {
  const rank = share * (sketchCount(sketch) - 1);
  let seen = 0;
  for (const [bucket, count] of sketch) {
    seen += count;
    if (seen > rank) return bucketValue(bucket);
  }
  return null;
}
