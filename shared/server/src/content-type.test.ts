import { assetTypeOf, isDocument, isDownload, rootTypeOf } from './content-type.ts';

test.each([
  'a.html',
  'a.htm',
  'a.xhtml',
  'a.xml',
  'a.txt',
  'a.pdf',
  'a.wasm',
  'a.mjs',
  'a',
  'a.constructor',
  'a.HTML',
])('a build cannot publish its own document: %s is downloaded, not opened', (path) => {
  expect(isDownload(assetTypeOf(path))).toBe(true);
});

test.each(['a.js', 'a.css', 'a.json', 'a.png', 'a.svg', 'a.woff2', 'a.site.webmanifest'])(
  '%s is a page asset',
  (path) => {
    expect(isDownload(assetTypeOf(path))).toBe(false);
  },
);

test('machine-readable texts are served at the root only', () => {
  expect([rootTypeOf('robots.txt'), rootTypeOf('sitemap.xml')]).toEqual([
    'text/plain; charset=utf-8',
    'application/xml; charset=utf-8',
  ]);
  expect(isDownload(rootTypeOf('login.html'))).toBe(true);
});

test('a file that a browser would render as a document runs no scripts', () => {
  const documents = ['a.svg', 'a.html', 'a.js', 'a.png'].filter((path) => isDocument(assetTypeOf(path)));
  expect(documents).toEqual(['a.svg', 'a.html']);
  expect(isDocument(rootTypeOf('sitemap.xml'))).toBe(true);
});
