import { inPortions, PORTION_BYTES } from './in-portions.ts';

const third = PORTION_BYTES / 3;
const cut = (sizes: number[]) => [...inPortions(sizes, (size) => size)];

test('a portion is as large as may be, and no larger', () => {
  expect(cut([third, third, third, 1, third])).toEqual([
    [third, third, third],
    [1, third],
  ]);
});

test('what alone is larger than a portion is read alone', () => {
  expect(cut([1, PORTION_BYTES + 1, 1])).toEqual([[1], [PORTION_BYTES + 1], [1]]);
});

test('of small rows a portion has 200', () => {
  expect(cut(Array.from({ length: 401 }, () => 0)).map(({ length }) => length)).toEqual([200, 200, 1]);
});

test('of nothing there is no portion', () => {
  expect(cut([])).toEqual([]);
});
