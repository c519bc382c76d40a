import { excerptAround } from './words.ts';

const around = (word: string) => `${'before '.repeat(40)}${word}${' after'.repeat(60)}`;

test.each([
  ['cafe', 'café'],
  ['cafe', 'CAFÉ'],
  ['etude', 'e\u0301tude'.normalize('NFC')],
  ['οδος', 'ΟΔΌΣ'],
])('%s is found in %s', (term, word) => {
  expect(excerptAround(around(word), [term])).toMatch(new RegExp(`^… (before )+${word}( after)+ …$`));
});

test('combining accents match precomposed letters', () => {
  expect(excerptAround(around('e\u0301tude'), ['etude'])).toContain('before \u00e9tude after');
});

test('cuts between words, even if lowercasing or removing accents changes lengths', () => {
  const text = `${'İﬁ½ '.repeat(60)}needle${' after'.repeat(60)}`;
  expect(excerptAround(text, ['needle'])).toMatch(/^… (İﬁ½ )+needle( after)+ …$/);
});

test('starts at the first matching word, or at the beginning without a match', () => {
  const text = `${'before '.repeat(40)}first ${'between '.repeat(40)}second`;
  expect(excerptAround(text, ['second', 'first'])).toContain('before first between');
  expect(excerptAround(text, ['zeppelin'])).toMatch(/^before /);
  expect(excerptAround(text, [])).toMatch(/^before /);
  expect(excerptAround('short', ['short'])).toBe('short');
});
