import { backoff, retryAfterMs } from './http.ts';

test('each delay is twice the previous one', () => {
  expect([1, 2, 3, 10].map((retry) => backoff(retry, 5))).toEqual([5, 10, 20, 2560]);
});

test('no delay exceeds the maximum, however many failures', () => {
  expect([1, 2, 3, 10_000].map((retry) => backoff(retry, 5, 12))).toEqual([5, 10, 12, 12]);
});

const now = Date.parse('2026-01-05T10:00:00Z');

test.each([
  ['7', 7_000],
  [' 0 ', 0],
  ['Mon, 05 Jan 2026 10:01:00 GMT', 60_000],
  ['Mon, 05 Jan 2026 09:00:00 GMT', 0],
  ['Mon, 99 Xxx 2026 10:01:00 GMT', null],
  ['2026-01-05T10:01:00Z', null],
  ['Mon, 05 Jan 2026 10:01:00 GMT+0100', null],
  ['on Mon, 05 Jan 2026 10:01:00 GMT', null],
  ['7s', null],
  ['-7', null],
  ['', null],
  [null, null],
])('Retry-After %j is %j ms', (header, ms) => expect(retryAfterMs(header, now)).toBe(ms));
