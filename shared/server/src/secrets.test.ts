import { SECRET, TokenSchema } from '@site/contract/secret.schema';
import * as v from 'valibot';
import { bearerOf, createSecret, createToken, hashSecret } from './secrets.ts';

test('secrets and tokens have the form that is asked of them, and none is made twice', () => {
  expect(createSecret()).toMatch(SECRET);
  expect(v.is(TokenSchema, createToken())).toBe(true);
  expect(createToken()).not.toBe(createToken());
});

test('the hash is what registries have stored since the first of them', () => {
  expect(hashSecret('secret')).toBe('2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b');
});

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc', 'abc'],
  ['Bearer ', undefined],
  ['Bearer a b', undefined],
  ['Basic abc', undefined],
  [undefined, undefined],
])('%j carries %j', (header, token) => expect(bearerOf(header)).toBe(token));
