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
