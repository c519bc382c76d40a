import { createMinuteQuota } from './minute-quota.ts';

test('what is done costs one, or what is said: whoever has any left gets the whole of it', () => {
  let now = 0;
  const quota = createMinuteQuota({ perKey: 100, maxKeys: 3, now: () => now });
  expect([quota.take('a', 99), quota.take('a'), quota.take('a')]).toEqual(['allowed', 'allowed', 'key']);
  // More than a count can be.
  expect([quota.take('b', 65_536), quota.ask('b')]).toEqual(['allowed', 'key']);
  now = 60_000;
  expect([quota.take('a'), quota.take('b')]).toEqual(['allowed', 'allowed']);
});

test('all together have as much as they may cost', () => {
  const quota = createMinuteQuota({ perKey: 60, perMinute: 100, maxKeys: 3, now: () => 0 });
  expect([quota.take('a', 60), quota.take('b', 50), quota.take('c')]).toEqual(['allowed', 'allowed', 'all']);
});
