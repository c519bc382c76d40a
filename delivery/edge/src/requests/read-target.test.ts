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
])('%j asks for %j with %j', (target, path, query, decoded) => {
  expect(readTarget(target)).toEqual({ path, query, decoded });
});
