import {
  byteText,
  escapeAttribute,
  escapeJson,
  escapeText,
  plainText,
  visibleLine,
  visibleText,
  readWholeNumber,
} from './text.ts';

test.each([
  [999, '999 B'],
  [1000, '1.0 KB'],
  [58_912, '58.9 KB'],
  [5_133_312, '5.1 MB'],
  [-999, '-999 B'],
  [-58_912, '-58.9 KB'],
  [-5_133_312, '-5.1 MB'],
])('%d bytes are formatted as %s', (count, text) => {
  expect(byteText(count)).toBe(text);
});

const text = `<b title="x">A & B's</b> &amp;`;

test('text between tags stays text', () => {
  expect(escapeText(text)).toBe(`&lt;b title="x">A &amp; B's&lt;/b> &amp;amp;`);
});

test('text cannot end an attribute', () => {
  expect(escapeAttribute(text)).toBe(`&lt;b title=&quot;x&quot;>A &amp; B's&lt;/b> &amp;amp;`);
});

test('JSON cannot end its element or break a JavaScript parser, and is parsed to the same value', () => {
  const text = '</script><!--<script>\u2028\u2029&amp;"\\';
  expect(escapeJson(text)).not.toMatch(/[<\u2028\u2029]/);
  expect(JSON.parse(escapeJson(text))).toBe(text);
});

test.each([
  ['Daten\u00ADschutz\u00ADrecht', 'Datenschutzrecht'],
  ['Inter\u200Boperability', 'Interoperability'],
  ['\uFEFFfirst', 'first'],
  ['ab\u202Ecd\u2069', 'abcd'],
  ['two\u00A0words', 'two words'],
  ['two\u2028lines\u2029', 'two lines'],
  [' many\r\n\t spaces ', 'many spaces'],
  ['null\u0000byte', 'null byte'],
  ['icon\uE000font', 'icon font'],
  ['Łódź, 東京, 😀', 'Łódź, 東京, 😀'],
])('%j is the plain text %j', (text, expected) => {
  expect(plainText(text)).toBe(expected);
});

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

test('joiners within words stay, in Persian, Hindi and emoji; others are escaped', () => {
  expect(visibleText('علی\u200Cرضا क्\u200Dष 👩\u200D💻')).toBe('علی\u200Cرضا क्\u200Dष 👩\u200D💻');
  expect(visibleText('a\u200D \u200Cb')).toBe('a\\u200d \\u200cb');
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

test.each([
  ['0', 0],
  ['007', 7],
  ['10', 10],
  ['11', null],
  ['-1', null],
  ['+1', null],
  ['1.0', null],
  ['1e1', null],
  ['0x1', null],
  [' 1', null],
  ['1\n', null],
  ['', null],
  [null, null],
  [undefined, null],
])('%j is the whole number %j from 0 to 10', (text, number) =>
  expect(readWholeNumber(text, 0, 10)).toBe(number),
);
