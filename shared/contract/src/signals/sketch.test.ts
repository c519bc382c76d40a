import * as v from 'valibot';
import {
  addSketches,
  bucketBound,
  sketchBucket,
  sketchCount,
  LAST_BUCKET,
  percentile,
  SketchSchema,
  bucketValue,
  type Sketch,
} from './sketch.ts';

test('a value is in the bucket whose bound it does not exceed', () => {
  expect([0, 0.5, 1, 1.0001].map(sketchBucket)).toEqual([0, 0, 0, 1]);
  for (const bucket of [1, 2, 50, 249]) {
    expect(sketchBucket(bucketBound(bucket) * 0.9999)).toBe(bucket);
    expect(sketchBucket(bucketBound(bucket) * 1.0001)).toBe(bucket + 1);
  }
  expect(sketchBucket(1e12)).toBe(LAST_BUCKET);
});

test('the value of a bucket is within 2.5 % of all in it', () => {
  expect(bucketValue(0)).toBe(1);
  for (const bucket of [1, 2, 100, 200]) {
    expect(bucketValue(bucket) / bucketBound(bucket - 1)).toBeCloseTo(1.0244, 4);
    expect(bucketValue(bucket) / bucketBound(bucket)).toBeCloseTo(0.9756, 4);
  }
});

test('sketches add up bucket by bucket, in order', () => {
  const sum = addSketches(
    [
      [3, 1],
      [9, 2],
    ],
    [
      [1, 4],
      [9, 5],
      [10, 1],
    ],
  );
  expect(sum).toEqual([
    [1, 4],
    [3, 1],
    [9, 7],
    [10, 1],
  ]);
  expect(sketchCount(sum)).toBe(13);
  expect(sketchCount([])).toBe(0);
});

test.each<[Sketch, number, number | null]>([
  [[], 0.75, null],
  [[[10, 1]], 0.75, 10],
  [
    [
      [10, 3],
      [20, 1],
    ],
    0.75,
    10,
  ],
  [
    [
      [10, 2],
      [20, 2],
    ],
    0.75,
    20,
  ],
  [
    [
      [10, 1],
      [20, 1],
    ],
    0,
    10,
  ],
  [
    [
      [10, 1],
      [20, 1],
    ],
    1,
    20,
  ],
])('of %j the part %d lies in bucket %s', (sketch, share, bucket) => {
  expect(percentile(sketch, share)).toBe(bucket === null ? null : bucketValue(bucket));
});

test.each<[unknown, boolean]>([
  [[], true],
  [
    [
      [0, 1],
      [250, 1],
    ],
    true,
  ],
  [
    [
      [1, 1],
      [1, 1],
    ],
    false,
  ],
  [
    [
      [2, 1],
      [1, 1],
    ],
    false,
  ],
  [[[251, 1]], false],
  [[[-1, 1]], false],
  [[[1, 0]], false],
  [[[1, 1, 1]], false],
])('%j is a sketch: %s', (value, isOne) => {
  expect(v.is(SketchSchema, value)).toBe(isOne);
});
