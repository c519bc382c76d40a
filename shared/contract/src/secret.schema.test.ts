import * as v from 'valibot';
import { SECRET, TokenSchema } from './secret.schema.ts';

const letters = 'aZ0_-'.padEnd(43, 'x');

test('a secret is 43 characters of base64url', () => {
  expect(SECRET.test(letters)).toBe(true);
  for (const other of [`${letters}x`, letters.slice(1), `${letters.slice(1)}+`, `${letters}\n`])
    expect(SECRET.test(other)).toBe(false);
});

test('a token is a secret with its prefix', () => {
  expect(v.is(TokenSchema, `site_${letters}`)).toBe(true);
  for (const other of [letters, `Site_${letters}`, `site_${letters}x`, ` site_${letters}`])
    expect(v.is(TokenSchema, other)).toBe(false);
});
