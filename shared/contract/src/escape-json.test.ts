import { escapeJson } from './escape-json.ts';

test('ends no element, breaks no parser of JavaScript, and is read as what it was', () => {
  const text = '</script><!--<script>\u2028\u2029&amp;"\\';
  expect(escapeJson(text)).not.toMatch(/[<\u2028\u2029]/);
  expect(JSON.parse(escapeJson(text))).toBe(text);
});
