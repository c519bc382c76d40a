import { createMinuteQuota } from './minute-quota.ts';

test('a call costs one or the given amount, and is allowed in full if any quota is left', () => {
  let now = 0;
  const quota = createMinuteQuota({ perKey: 100, maxKeys: 3, now: () => now });
  expect([quota.take('a', 99), quota.take('a'), quota.take('a')]).toEqual(['allowed', 'allowed', 'key']);
  // Above the maximum of a count.
  expect([quota.take('b', 65_536), quota.ask('b')]).toEqual(['allowed', 'key']);
  now = 60_000;
  expect([quota.take('a'), quota.take('b')]).toEqual(['allowed', 'allowed']);
});

test('enforces the total limit', () => {
  const quota = createMinuteQuota({ perKey: 60, perMinute: 100, maxKeys: 3, now: () => 0 });
  expect([quota.take('a', 60), quota.take('b', 50), quota.take('c')]).toEqual(['allowed', 'allowed', 'all']);
});

test('keys beyond the capacity get nothing in this minute; known keys keep their quota', () => {
  let now = 0;
  const quota = createMinuteQuota({ perKey: 10, maxKeys: 2, now: () => now });
  expect(['a', 'b', 'c', 'a'].map((key) => quota.take(key))).toEqual([
    'allowed',
    'allowed',
    'all',
    'allowed',
  ]);
  expect(['b', 'c'].map((key) => quota.ask(key))).toEqual(['allowed', 'all']);
  now = 60_000;
  expect(quota.take('c')).toBe('allowed');
});

test('all keys together can use exactly the total quota, in each minute', () => {
  let now = 0;
  const quota = createMinuteQuota({ perKey: 100, perMinute: 2, maxKeys: 9, now: () => now });
  expect(['a', 'b', 'a'].map((key) => quota.take(key))).toEqual(['allowed', 'allowed', 'all']);
  now = 60_000;
  expect(['a', 'b', 'a'].map((key) => quota.take(key))).toEqual(['allowed', 'allowed', 'all']);
});
