import { advisoryLocks } from './advisory-locks.ts';

test('lock numbers never change, and a number is shared only by locks that cannot conflict', () => {
  const { collection, dailyJobs, signals, mailJudging, ...others } = advisoryLocks;
  expect([collection, dailyJobs]).toEqual([5_174_602, 5_174_602]);
  expect([signals, mailJudging]).toEqual([5_174_603, 5_174_603]);
  const numbers = [collection, signals, ...Object.values(others)];
  expect(new Set(numbers).size).toBe(numbers.length);
});
