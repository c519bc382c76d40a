import { createHashedCounts } from './hashed-counts.ts';

test('keeps separate counts for as many keys as fit, until it is cleared', () => {
  const counts = createHashedCounts(3_000);
  const keys = Array.from({ length: 3_000 }, (_, index) => `key ${index}`);
  expect(counts.get('key 0')).toBe(0);
  for (const [index, key] of keys.entries()) expect(counts.set(key, index + 1)).toBe(true);
  expect(keys.map(counts.get)).toEqual(keys.map((_, index) => index + 1));
  expect([counts.hasRoom(), counts.set('another', 1), counts.get('another')]).toEqual([false, false, 0]);
  expect([counts.set('key 7', 65_535), counts.get('key 7')]).toEqual([true, 65_535]);
  counts.clear();
  expect([counts.get('key 7'), counts.set('another', 1), counts.get('another')]).toEqual([0, true, 1]);
});
