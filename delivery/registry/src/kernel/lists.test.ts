import { inPortions, PORTION_BYTES, difference } from './lists.ts';

const third = PORTION_BYTES / 3;
const cut = (sizes: number[]) => [...inPortions(sizes, (size) => size)];

test('a portion is as large as allowed', () => {
  expect(cut([third, third, third, 1, third])).toEqual([
    [third, third, third],
    [1, third],
  ]);
});

test('an item larger than a portion is read alone', () => {
  expect(cut([1, PORTION_BYTES + 1, 1])).toEqual([[1], [PORTION_BYTES + 1], [1]]);
});

test('a portion has at most 200 small rows', () => {
  expect(cut(Array.from({ length: 401 }, () => 0)).map(({ length }) => length)).toEqual([200, 200, 1]);
});

test('an empty list has no portion', () => {
  expect(cut([])).toEqual([]);
});

test('returns unknown entries in order', () => {
  const all = ['/c', '/a', '/b'];
  expect(difference(all, ['/b', '/d'])).toEqual(['/a', '/c']);
  expect(difference(all, [])).toEqual(['/a', '/b', '/c']);
  expect(all).toEqual(['/c', '/a', '/b']);
});
