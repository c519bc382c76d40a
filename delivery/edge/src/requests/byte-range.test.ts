import { allowsRange, readRange } from './byte-range.ts';

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=99-', { start: 99, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  // The whole file:
  [undefined, null],
  ['bytes=-', null],
  ['bytes=5-4', null],
  ['bytes=0-1,5-6', null],
  ['lines=0-1', null],
  ['bytes=a-b', null],
  ['bytes=0x1-2', null],
])('for 100 bytes, %j selects %j', (header, range) => {
  expect(readRange(header, 100)).toEqual(range);
});

test('an empty file has no satisfiable range', () => {
  expect([readRange('bytes=0-', 0), readRange('bytes=-5', 0)]).toEqual(['unsatisfiable', 'unsatisfiable']);
});

test('If-Range with another representation disables ranges', () => {
  expect(allowsRange(undefined, '"a"')).toBe(true);
  expect(allowsRange('"a"', '"a"')).toBe(true);
  expect(allowsRange('"a-br"', '"a"')).toBe(false);
  expect(allowsRange('W/"a"', '"a"')).toBe(false);
  expect(allowsRange('Wed, 21 Oct 2026 07:28:00 GMT', '"a"')).toBe(false);
});
