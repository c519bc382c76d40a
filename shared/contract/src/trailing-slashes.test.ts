import { withoutTrailingSlashes } from './trailing-slashes.ts';

test.each([
  ['/home', '/home'],
  ['/home///', '/home'],
  ['//a//b/', '//a//b'],
  ['/', ''],
  ['', ''],
  [`/${'/'.repeat(1_000)}x`, `/${'/'.repeat(1_000)}x`],
])('%j is %j without trailing slashes', (path, without) => {
  expect(withoutTrailingSlashes(path)).toBe(without);
});
