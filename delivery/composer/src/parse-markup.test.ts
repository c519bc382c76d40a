import { documentLimits } from '@site/contract';
import { parseMarkup } from './parse-markup.ts';

const findProblem = (html: string, head = '') => {
  const parsed = parseMarkup(head, html);
  return 'problem' in parsed ? parsed.problem : null;
};
/** An element whose start tag has this many characters. */
const longTag = (length: number) => `<p title="${'x'.repeat(length - '<p title="">'.length)}"></p>`;
const nested = (depth: number) => '<div>'.repeat(depth) + '</div>'.repeat(depth);
const siblings = (count: number) => '<br>'.repeat(count);

test("React's markup results in the matching tree", () => {
  const parsed = parseMarkup('<title>Blocks</title>', '<main><p>One</p><p>Two &amp; three</p></main>');
  expect(parsed).toMatchObject({
    head: [{ nodeName: 'title' }],
    body: [{ nodeName: 'main', childNodes: [{ nodeName: 'p' }, { nodeName: 'p' }] }],
  });
});

test('a tag has at most 4,096 characters', () => {
  expect(findProblem(longTag(4_096))).toBeNull();
  expect(findProblem(longTag(4_097))).toMatch(
    /^has a tag that does not end or is longer than 4096 characters/,
  );
});

test.each(['a < b', 'a > b', '<p', '<p></p', '<p <b></b></p>', '> <p></p>', '<p></p>>'])(
  'an unescaped bracket is rejected and quoted: %s',
  (html) => {
    expect(findProblem(html)).toContain('a "<" or ">" that is not escaped');
    expect(findProblem('<p></p>', html)).toContain('a "<" or ">" that is not escaped');
  },
);

test('only the markup around an unescaped bracket is quoted', () => {
  const problem = findProblem(
    `${'<p>far away</p>'.repeat(20)}<p>here > there</p>${'<p>far away</p>'.repeat(20)}`,
  );
  expect(problem).toContain('here > there');
  expect(problem?.length).toBeLessThan(300);
});

test('the limit is the maximum number of characters of a page', () => {
  const [open, close] = ['<p>', '</p>'];
  const ofSize = (size: number) => open + 'x'.repeat(size - open.length - close.length) + close;
  expect(findProblem(ofSize(documentLimits.bytes))).toBeNull();
  expect(findProblem(ofSize(documentLimits.bytes + 1))).toMatch(/characters of markup; a page has at most/);
  expect(findProblem(ofSize(documentLimits.bytes), '<title></title>')).toMatch(/characters of markup/);
});

test('depth and number of elements are limited before they cost anything', () => {
  expect(findProblem(nested(80))).toBeNull();
  expect(findProblem(nested(120))).toMatch(/100/);
  expect(findProblem(siblings(19_000))).toBeNull();
  expect(findProblem(siblings(20_001))).toBe('has more than 20000 elements, texts and comments');
});

test.each([
  ['an element that is closed too early', '<p><div></div></p>'],
  ['an unclosed element', '<main><section></main>'],
  ['an element that is closed twice', '<p></p></p>'],
  ['an element that ends outside of the page', '</div><p></p>'],
  ['a row without a table', '<tr><td>1</td></tr>'],
  ['text that a table moves out', '<table>text<tbody></tbody></table>'],
  ['a nested body', '<body class="x"></body>'],
])('%s is rejected', (_what, html) => {
  expect(findProblem(html)).not.toBeNull();
});
