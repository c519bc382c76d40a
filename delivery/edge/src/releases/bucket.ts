import { createHash, randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { basisPoints, BUCKETS, type CanaryShare } from '@site/contract';

const permutations = new LRUCache<string, Uint16Array>({ max: 100 });

/**
 * A canary's order of the buckets: a share selects the first ones. An order for each canary makes their visitors
 * independent; a whole permutation keeps each share exact, and raising it removes no visitor.
 */
export function placesIn(canary: string): Uint16Array {
  const known = permutations.get(canary);
  if (known) return known;
  const places = Uint16Array.from({ length: BUCKETS }, (_, bucket) => bucket);
  const random = createHash('shake256', { outputLength: 4 * BUCKETS })
    .update(canary)
    .digest();
  // Fisher–Yates.
  for (let last = BUCKETS - 1; last > 0; last -= 1) {
    const other = random.readUInt32LE(4 * last) % (last + 1);
    [places[last], places[other]] = [places[other] as number, places[last] as number];
  }
  permutations.set(canary, places);
  return places;
}

export function seesCanary(
  bucket: number,
  { release, share }: Pick<CanaryShare, 'release' | 'share'>,
): boolean {
  return (placesIn(release)[bucket] ?? BUCKETS) < basisPoints(share);
}

export function drawBucket(): number {
  return randomInt(BUCKETS);
}
