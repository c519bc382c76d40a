import { assetContentType, isDocument, isDownload, rootContentType } from './content-type.ts';

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
  expect(isDownload(assetContentType(path))).toBe(true);
});

test.each(['a.js', 'a.css', 'a.json', 'a.png', 'a.svg', 'a.woff2', 'a.site.webmanifest'])(
  '%s is a page asset',
  (path) => {
    expect(isDownload(assetContentType(path))).toBe(false);
  },
);

test('machine-readable texts are served at the root only', () => {
  expect([rootContentType('robots.txt'), rootContentType('sitemap.xml')]).toEqual([
    'text/plain; charset=utf-8',
    'application/xml; charset=utf-8',
  ]);
  expect(isDownload(rootContentType('login.html'))).toBe(true);
});

test('a file that a browser would render as a document runs no scripts', () => {
  const documents = ['a.svg', 'a.html', 'a.js', 'a.png'].filter((path) => isDocument(assetContentType(path)));
  expect(documents).toEqual(['a.svg', 'a.html']);
  expect(isDocument(rootContentType('sitemap.xml'))).toBe(true);
});
