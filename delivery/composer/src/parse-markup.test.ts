import { documentLimits } from '@site/contract';
import { parseMarkup } from './parse-markup.ts';

const problemOf = (html: string, head = '') => {
  const parsed = parseMarkup(head, html);
  return 'problem' in parsed ? parsed.problem : null;
};
/** An element whose first tag has so many characters. */
const tagOf = (length: number) => `<p title="${'x'.repeat(length - '<p title="">'.length)}"></p>`;
const nested = (depth: number) => '<div>'.repeat(depth) + '</div>'.repeat(depth);
const siblings = (count: number) => '<br>'.repeat(count);

test('markup as React writes it becomes the tree that it says', () => {
  const parsed = parseMarkup('<title>Blocks</title>', '<main><p>One</p><p>Two &amp; three</p></main>');
  expect(parsed).toMatchObject({
    head: [{ nodeName: 'title' }],
    body: [{ nodeName: 'main', childNodes: [{ nodeName: 'p' }, { nodeName: 'p' }] }],
  });
});

test('a tag has at most 4,096 characters', () => {
  expect(problemOf(tagOf(4_096))).toBeNull();
  expect(problemOf(tagOf(4_097))).toMatch(/^has a tag that does not end or is longer than 4096 characters/);
});

test.each(['a < b', 'a > b', '<p', '<p></p', '<p <b></b></p>', '> <p></p>', '<p></p>>'])(
  'a bracket that is not escaped is refused and shown: %s',
  (html) => {
    expect(problemOf(html)).toContain('a "<" or ">" that is not escaped');
    expect(problemOf('<p></p>', html)).toContain('a "<" or ">" that is not escaped');
  },
);

test('the markup around an unescaped bracket is shown, and not the whole page', () => {
  const problem = problemOf(
    `${'<p>far away</p>'.repeat(20)}<p>here > there</p>${'<p>far away</p>'.repeat(20)}`,
  );
  expect(problem).toContain('here > there');
  expect(problem?.length).toBeLessThan(300);
});

test('a page has exactly as many characters as the limit, or fewer', () => {
  const [open, close] = ['<p>', '</p>'];
  const ofSize = (size: number) => open + 'x'.repeat(size - open.length - close.length) + close;
  expect(problemOf(ofSize(documentLimits.bytes))).toBeNull();
  expect(problemOf(ofSize(documentLimits.bytes + 1))).toMatch(/characters of markup; a page has at most/);
  expect(problemOf(ofSize(documentLimits.bytes), '<title></title>')).toMatch(/characters of markup/);
});

test('elements are nested to a depth, and counted, before they cost anything', () => {
  expect(problemOf(nested(400))).toBeNull();
  expect(problemOf(nested(600))).toMatch(/500/);
  expect(problemOf(siblings(19_000))).toBeNull();
  expect(problemOf(siblings(20_001))).toBe('has more than 20000 elements, texts and comments');
});

test.each([
  ['an element that is closed too early', '<p><div></div></p>'],
  ['one that is not closed', '<main><section></main>'],
  ['one that is closed twice', '<p></p></p>'],
  ['one that leaves the place of the page', '</div><p></p>'],
  ['a row without a table', '<tr><td>1</td></tr>'],
  ['text that a table throws out', '<table>text<tbody></tbody></table>'],
  ['a body of its own', '<body class="x"></body>'],
])('%s is refused', (_what, html) => {
  expect(problemOf(html)).not.toBeNull();
});
