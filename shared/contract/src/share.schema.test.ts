import * as v from 'valibot';
import fc from 'fast-check';
import { basisPoints, BUCKETS, ShareSchema } from './share.schema.ts';

test('every share with two decimals is a whole number of the 10,000 buckets', () => {
  for (let points = 1; points < BUCKETS; points += 1) {
    // As typed: "1.15" is parsed to the nearest number, which is not 115 / 100 in every arithmetic.
    const share = Number(`${Math.floor(points / 100)}.${String(points % 100).padStart(2, '0')}`);
    expect(v.is(ShareSchema, share)).toBe(true);
    expect(basisPoints(share)).toBe(points);
    expect(basisPoints(points / 100)).toBe(points);
  }
});

test('raising a share never removes the canary from a visitor who sees it', () => {
  const points = fc.integer({ min: 1, max: BUCKETS - 1 });
  fc.assert(
    fc.property(points, points, fc.integer({ min: 0, max: BUCKETS - 1 }), (one, other, bucket) => {
      const [less, more] = [Math.min(one, other) / 100, Math.max(one, other) / 100];
      return bucket >= basisPoints(less) || bucket < basisPoints(more);
    }),
  );
});

test.each([0, 100, -5, 100.01, 0.005, 12.345, NaN, Infinity, '10'])('%p is not a share', (share) => {
  expect(v.is(ShareSchema, share)).toBe(false);
});
