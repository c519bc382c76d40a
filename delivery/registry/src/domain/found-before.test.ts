import { foundBefore } from './found-before.ts';

test('keeps the answers that were asked for last', () => {
  const answers = foundBefore<number>(2);
  answers.add('a', 1);
  answers.add('b', 0);
  expect(answers.get('a')).toBe(1);
  answers.add('c', 3);
  expect(['a', 'b', 'c'].map((question) => answers.get(question))).toEqual([1, undefined, 3]);
});
