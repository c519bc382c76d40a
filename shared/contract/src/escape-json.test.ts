import { escapeJson } from './escape-json.ts';

test('cannot end its element or break a JavaScript parser, and is parsed to the same value', () => {
  const text = '</script><!--<script>\u2028\u2029&amp;"\\';
  expect(escapeJson(text)).not.toMatch(/[<\u2028\u2029]/);
  expect(JSON.parse(escapeJson(text))).toBe(text);
});
