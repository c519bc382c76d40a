import { visibleLine, visibleText } from './visible-text.ts';

test.each([
  ['an escape sequence', '\u001b[2J\u001b]0;owned\u0007', '\\u001b[2J\\u001b]0;owned\\u0007'],
  ['the one-character form of it (C1)', '\u009b31m', '\\u009b31m'],
  ['a carriage return that writes over the line', 'bad\rgood', 'bad\\u000dgood'],
  ['a backspace and a delete', 'a\b\u007f', 'a\\u0008\\u007f'],
  ['a right-to-left override', 'a\u202egnp.exe', 'a\\u202egnp.exe'],
  ['isolates and marks', '\u2066\u2069\u200e\u200f\u061c', '\\u2066\\u2069\\u200e\\u200f\\u061c'],
  ['invisible characters', 'a\u200bb\ufeffc\u00ad', 'a\\u200bb\\ufeffc\\u00ad'],
  ['invisible tags', '\u{e0041}', '\\udb40\\udc41'],
  ['separators of lines', '\u2028\u2029\u0085', '\\u2028\\u2029\\u0085'],
  ['half a character', '\ud800', '\\ud800'],
])('%s is escaped', (_what, text, shown) => {
  expect(visibleText(text)).toBe(shown);
  expect(visibleLine(text)).toBe(shown);
});

test('letters of all languages, line breaks and tabs stay unchanged', () => {
  const text = 'Ünïcödé 日本語 עברית → 🙂\n\tnext';
  expect(visibleText(text)).toBe(text);
  expect(visibleText('a\r\nb')).toBe('a\nb');
  expect(visibleLine('a\nb')).toBe('a\\nb');
});

test('JSON stays equivalent JSON', () => {
  const value = { name: '\u001b[2J\u009b\u202e\u2028\u{e0041}"\\' };
  expect(JSON.parse(visibleText(JSON.stringify(value, null, 2)))).toEqual(value);
});
