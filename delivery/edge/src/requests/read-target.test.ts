import { readTarget } from './read-target.ts';

test.each([
  ['/start', '/start', '', '/start'],
  ['/start?a=b?c', '/start', '?a=b?c', '/start'],
  ['/%68ome', '/%68ome', '', '/home'],
  ['http://other.example/start?x', '/start', '?x', '/start'],
  ['//other.example/start', '//other.example/start', '', '//other.example/start'],
  ['/start#there', '/start', '', '/start'],
  ['', '/', '', '/'],
  ['?x', '/', '?x', '/'],
  [undefined, '/', '', '/'],
  ['*', '*', '', null],
  ['/%zz', '/%zz', '', null],
])('%j requests %j with %j', (target, path, query, decoded) => {
  expect(readTarget(target)).toMatchObject({ path, query, decoded });
});

test.each([
  ['/start?a=#b', false],
  ['/start#there', false],
  ['/%68ome', false],
  ['*', false],
  ['/start?a=%20', true],
  ['http://other.example/start', true],
])('whether %s is in canonical form: %s', (target, isExact) => {
  expect(readTarget(target).isExact).toBe(isExact);
});
