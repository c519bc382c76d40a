import { advisoryLocks } from './advisory-locks.ts';

const numbers = Object.values(advisoryLocks);

test('no two locks have the same number', () => {
  expect(new Set(numbers).size).toBe(numbers.length);
});
