import { plainText } from './plain-text.ts';

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
