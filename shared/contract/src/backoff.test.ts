import { backoff } from './backoff.ts';

test('each delay is twice the previous one', () => {
  expect([1, 2, 3, 10].map((retry) => backoff(retry, 5))).toEqual([5, 10, 20, 2560]);
});

test('no delay exceeds the maximum, however many failures', () => {
  expect([1, 2, 3, 10_000].map((retry) => backoff(retry, 5, 12))).toEqual([5, 10, 12, 12]);
});
