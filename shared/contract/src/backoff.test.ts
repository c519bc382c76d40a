import { backoff } from './backoff.ts';

test('each wait is twice the one before', () => {
  expect([1, 2, 3, 10].map((retry) => backoff(retry, 5))).toEqual([5, 10, 20, 2560]);
});

test('none is longer than the longest, however often it failed', () => {
  expect([1, 2, 3, 10_000].map((retry) => backoff(retry, 5, 12))).toEqual([5, 10, 12, 12]);
});
