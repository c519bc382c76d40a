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

test('combining accents match precomposed letters', () => {
  expect(excerptOf(around('e\u0301tude'), ['etude'])).toContain('before \u00e9tude after');
});

test('cuts between words, even if lowercasing or removing accents changes lengths', () => {
  const text = `${'İﬁ½ '.repeat(60)}needle${' after'.repeat(60)}`;
  expect(excerptOf(text, ['needle'])).toMatch(/^… (İﬁ½ )+needle( after)+ …$/);
});

test('starts at the first matching word, or at the beginning without a match', () => {
  const text = `${'before '.repeat(40)}first ${'between '.repeat(40)}second`;
  expect(excerptOf(text, ['second', 'first'])).toContain('before first between');
  expect(excerptOf(text, ['zeppelin'])).toMatch(/^before /);
  expect(excerptOf(text, [])).toMatch(/^before /);
  expect(excerptOf('short', ['short'])).toBe('short');
});
