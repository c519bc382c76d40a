import { readPageHead } from './page-head.ts';

test('reads what React wrote, with its entities resolved', () => {
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

test('an entity that was escaped itself stays text', () => {
  expect(readPageHead('<title>&amp;lt;</title>').title).toBe('&lt;');
});

test('says nothing about a page that says nothing', () => {
  expect(readPageHead('<link rel="x"/>')).toEqual({
    title: null,
    description: null,
    siteName: null,
    isHidden: false,
  });
});

test('a page may ask not to be listed', () => {
  expect(readPageHead('<meta name="robots" content="noindex, follow"/>').isHidden).toBe(true);
  expect(readPageHead('<meta name="robots" content="index"/>').isHidden).toBe(false);
});
