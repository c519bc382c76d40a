import { wholeNumberOf } from './whole-number.ts';

test.each([
  ['0', 0],
  ['007', 7],
  ['10', 10],
  ['11', null],
  ['-1', null],
  ['+1', null],
  ['1.0', null],
  ['1e1', null],
  ['0x1', null],
  [' 1', null],
  ['1\n', null],
  ['', null],
  [null, null],
  [undefined, null],
])('%j is the whole number %j from 0 to 10', (text, number) =>
  expect(wholeNumberOf(text, 0, 10)).toBe(number),
);
