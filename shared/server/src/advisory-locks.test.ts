import { advisoryLocks } from './advisory-locks.ts';

test('locks have the numbers of former versions, and two share one only where they never meet', () => {
  const { collection, dailyJobs, signals, mailJudging, ...others } = advisoryLocks;
  expect([collection, dailyJobs]).toEqual([5_174_602, 5_174_602]);
  expect([signals, mailJudging]).toEqual([5_174_603, 5_174_603]);
  const numbers = [collection, signals, ...Object.values(others)];
  expect(new Set(numbers).size).toBe(numbers.length);
});
