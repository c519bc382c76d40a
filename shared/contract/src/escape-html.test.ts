import { escapeAttribute, escapeText } from './escape-html.ts';

const text = `<b title="x">A & B's</b> &amp;`;

test('text between tags stays text', () => {
  expect(escapeText(text)).toBe(`&lt;b title="x">A &amp; B's&lt;/b> &amp;amp;`);
});

test('text cannot end an attribute', () => {
  expect(escapeAttribute(text)).toBe(`&lt;b title=&quot;x&quot;>A &amp; B's&lt;/b> &amp;amp;`);
});
