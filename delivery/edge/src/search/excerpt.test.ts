import { excerptOf } from './excerpt.ts';

const around = (word: string) => `${'before '.repeat(40)}${word}${' after'.repeat(60)}`;

test.each([
  ['cafe', 'café'],
  ['cafe', 'CAFÉ'],
  ['etude', 'e\u0301tude'.normalize('NFC')],
  ['οδος', 'ΟΔΌΣ'],
])('%s is found in %s', (term, word) => {
  expect(excerptOf(around(word), [term])).toMatch(new RegExp(`^… (before )+${word}( after)+ …$`));
});

test('an accent that is a character of its own is one with its letter', () => {
  expect(excerptOf(around('e\u0301tude'), ['etude'])).toContain('before \u00e9tude after');
});

test('it is cut between words, whatever becomes longer in lower case or without its accents', () => {
  const text = `${'İﬁ½ '.repeat(60)}needle${' after'.repeat(60)}`;
  expect(excerptOf(text, ['needle'])).toMatch(/^… (İﬁ½ )+needle( after)+ …$/);
});

test('it begins at the first of the words, and without any at the beginning', () => {
  const text = `${'before '.repeat(40)}first ${'between '.repeat(40)}second`;
  expect(excerptOf(text, ['second', 'first'])).toContain('before first between');
  expect(excerptOf(text, ['zeppelin'])).toMatch(/^before /);
  expect(excerptOf(text, [])).toMatch(/^before /);
  expect(excerptOf('short', ['short'])).toBe('short');
});
