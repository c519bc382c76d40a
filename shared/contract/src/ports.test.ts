import { blockedPortProblem } from './ports.ts';

test.each([
  [6000, 1, 6000],
  [10080, 1, 10080],
  [6663, 5, 6665],
  [5998, 5, 6000],
  [6001, 5, null],
  [8080, 5, null],
])('of port %i and the next ones, %i in total, browsers block %s', (first, count, blocked) => {
  expect(blockedPortProblem(first, count)).toBe(
    blocked === null ? null : `Browsers block port ${blocked}. Choose another one, such as 8080.`,
  );
});
