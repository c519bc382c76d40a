import { formatDollars, formatNumber, formatRange, formatShortDollars } from './format-roi.ts';

test('money has the US format, regardless of the visitor’s language', () => {
  expect(formatDollars(46_400)).toBe('$46,400');
  expect(formatShortDollars(78_400)).toBe('$78.4K');
  expect(formatDollars(-79.99)).toBe('-$80');
});

test('an amount that rounds to zero has no sign', () => {
  expect(formatDollars(-0.3)).toBe('$0');
  expect(formatNumber(-0.01)).toBe('0');
});

test('a range has the smaller end first, and is a single value if both ends read the same', () => {
  expect(formatRange(15_120, 12_960, formatDollars)).toBe('$12,960 to $15,120');
  expect(formatRange(1.5, 1.5, formatNumber)).toBe('1.5');
});
