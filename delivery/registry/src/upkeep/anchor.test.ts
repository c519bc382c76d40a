import { NEWEST_KEPT, thinnedOut } from './anchor.ts';

test('keeps few anchors however long the log gets: the newest ones, and old ones at growing distances', () => {
  let kept: number[] = [];
  for (let sequence = 1; sequence <= 30_000; sequence += 1) {
    kept.push(sequence);
    const gone = new Set(thinnedOut(kept));
    kept = kept.filter((each) => !gone.has(each));
  }
  expect(kept.length).toBeLessThanOrEqual(NEWEST_KEPT + 15);
  expect(kept.slice(-NEWEST_KEPT)).toEqual(
    Array.from({ length: NEWEST_KEPT }, (_, i) => 30_001 - NEWEST_KEPT + i),
  );
  expect(kept[0]).toBeLessThan(16_384);
});

test('never deletes the oldest anchor', () => {
  expect(thinnedOut([1, ...Array.from({ length: 200 }, (_, i) => i + 1_000)])).not.toContain(1);
});
