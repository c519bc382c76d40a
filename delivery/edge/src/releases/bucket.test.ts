import { BUCKETS } from '@site/contract';
import { drawBucket, placesIn, seesCanary } from './bucket.ts';

const release = 'r2';
const places = placesIn(release);
const bucketAt = (place: number) => places.indexOf(place);

/** Peers that implement buckets as `bucket <= share` (100 buckets from 0) serve 10 % with 11 of them. */
const bucketsSeeing = (share: number) => {
  let seeing = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) if (seesCanary(bucket, { release, share })) seeing += 1;
  return seeing;
};

/** Decimal conversion, since 0.29 * 100 is 28.999999999999996. */
const toShare = (points: number) => Number(`${points}e-2`);

test('for every share, the boundary bucket makes the count exact', () => {
  const wrong: number[] = [];
  for (let points = 1; points < BUCKETS; points += 1) {
    const share = toShare(points);
    const canary = { release, share };
    if (!seesCanary(bucketAt(points - 1), canary) || seesCanary(bucketAt(points), canary)) wrong.push(share);
  }
  expect(wrong).toEqual([]);
});

test('a share has exactly as many of the 10,000 buckets as it has hundredths of a percent', () => {
  const counted: [number, number][] = [];
  // All of them would take twenty seconds; the test above checks both boundary buckets of each.
  for (let points = 1; points < BUCKETS; points += 101)
    counted.push([points, bucketsSeeing(toShare(points))]);
  expect(counted.filter(([points, seeing]) => seeing !== points)).toEqual([]);
  expect(counted).toHaveLength(99);
});

test('10 % are 1,000 buckets, where a known peer serves 11.05 %', () => {
  expect(bucketsSeeing(10)).toBe(1_000);
});

test('raising the share removes no visitor from the canary, lowering it adds none', () => {
  const changed: [number, number][] = [];
  for (let points = 1; points < BUCKETS - 1; points += 1) {
    const [low, high] = [points, points + 1].map((each) => ({ release, share: toShare(each) }));
    if (!low || !high) continue;
    for (const bucket of [0, points - 1, points, points + 1, BUCKETS - 1]) {
      if (seesCanary(bucket, low) && !seesCanary(bucket, high)) changed.push([bucket, low.share]);
    }
  }
  expect(changed).toEqual([]);
});

test('of 200,000 visitors with random buckets, 10 % see a 10 % canary, within half a percentage point', () => {
  const visitors = 200_000;
  let seen = 0;
  for (let visitor = 0; visitor < visitors; visitor += 1)
    if (seesCanary(drawBucket(), { release, share: 10 })) seen += 1;
  // Half a point is 7 standard deviations here, so randomness does not fail this test.
  expect(Math.abs((100 * seen) / visitors - 10)).toBeLessThan(0.5);
});

test('a random bucket is an integer from 0 to 9,999', () => {
  const drawn = Array.from({ length: 10_000 }, drawBucket);
  expect(drawn.filter((bucket) => !Number.isInteger(bucket) || bucket < 0 || bucket >= BUCKETS)).toEqual([]);
});

test('every bucket has one place in the order of a canary, and the same one on every edge', () => {
  expect(new Set(places).size).toBe(BUCKETS);
  expect([...places.slice(0, 4)]).toEqual([...placesIn('r2').slice(0, 4)]);
});

test('visitors fall into two canaries independently: both show to the product of their shares', () => {
  const shares = [5, 20, 50];
  const off: unknown[] = [];
  for (let one = 1; one <= 20; one += 1) {
    for (let other = one + 1; other <= 20; other += 1) {
      for (const share of shares) {
        let both = 0;
        for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
          const isSeen = (number: number) => seesCanary(bucket, { release: `r${number}`, share });
          if (isSeen(one) && isSeen(other)) both += 1;
        }
        // Random orders: hypergeometric, five standard deviations of 570 pairs.
        const part = share / 100;
        const deviation = Math.sqrt(BUCKETS) * part * (1 - part);
        if (Math.abs(both - BUCKETS * part * part) > 5 * deviation) off.push([one, other, share, both]);
      }
    }
  }
  expect(off).toEqual([]);
});
