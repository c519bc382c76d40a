import { SECRET, TokenSchema } from '@site/contract/secret.schema';
import * as v from 'valibot';
import { parseBearer, createSecret, createToken, hashSecret } from './secrets.ts';

test('secrets and tokens have the required format and are unique', () => {
  expect(createSecret()).toMatch(SECRET);
  expect(v.is(TokenSchema, createToken())).toBe(true);
  expect(createToken()).not.toBe(createToken());
});

test('the hash must match the ones that registries have stored', () => {
  expect(hashSecret('secret')).toBe('2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b');
});

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc', 'abc'],
  ['Bearer ', undefined],
  ['Bearer a b', undefined],
  ['Basic abc', undefined],
  [undefined, undefined],
])('%j carries %j', (header, token) => expect(parseBearer(header)).toBe(token));
