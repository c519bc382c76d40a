import { cookieValues } from './cookies.ts';

test('a cookie without a name has the empty name', () => {
  expect(cookieValues('=1; 2', '')).toEqual(['1']);
});

test.each([
  ['a=1; b=2; a=3', ['1', '3']],
  ['a=;a= x=y ;b', ['', 'x=y']],
  ['xa=1; ax=2; a', []],
  ['', []],
])('%j has the values %j of a', (header, values) => {
  expect(cookieValues(header, 'a')).toEqual(values);
});
