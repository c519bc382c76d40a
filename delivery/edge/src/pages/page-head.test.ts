import { readPageHead } from './page-head.ts';

test("reads React's markup and decodes entities", () => {
  const head =
    '<title>Terms &amp; conditions · Blocks</title>' +
    '<meta name="description" content="&quot;Plug&quot; isn&#x27;t &lt;play&gt;"/>' +
    '<link rel="canonical" href="https://www.example.com/a"/><meta property="og:site_name" content="Blocks"/>';
  expect(readPageHead(head)).toEqual({
    title: 'Terms & conditions · Blocks',
    description: `"Plug" isn't <play>`,
    siteName: 'Blocks',
    isHidden: false,
  });
});

test('a double-escaped entity stays text', () => {
  expect(readPageHead('<title>&amp;lt;</title>').title).toBe('&lt;');
});

test('is empty for a page without head tags', () => {
  expect(readPageHead('<link rel="x"/>')).toEqual({
    title: null,
    description: null,
    siteName: null,
    isHidden: false,
  });
});

test.each([
  ['<meta name="robots" content="noindex, follow"/>', true],
  ['<meta content="noindex" name="robots"/>', true],
  ['<meta id="r" name="robots" data-a="b" content="follow,NOINDEX"/>', true],
  ['<meta name="robots" content="none"/>', true],
  ['<meta name="robots" content="all"/><meta name="robots" content="noindex"/>', true],
  ['<meta name="robots" content="index"/>', false],
  ['<meta name="robots" content="max-image-preview:none"/>', false],
  ['<meta name="description" content="noindex"/><meta name="robots" content="all"/>', false],
  ['<meta name="robots"/><meta name="description" content="none"/>', false],
])('detects noindex: %s', (head, isHidden) => {
  expect(readPageHead(head).isHidden).toBe(isHidden);
});

test('accepts attributes in any order', () => {
  const head = '<meta content="Parts" name="description"/><meta content="Blocks" property="og:site_name"/>';
  expect(readPageHead(head)).toMatchObject({ description: 'Parts', siteName: 'Blocks' });
});
