import { bucketCookie, noPreviewCookie, previewCookie, readCookies } from './cookies.ts';

test.each([
  ['bucket=0', 0],
  ['a=b; bucket=9999; c=d', 9999],
  ['authToken=%7B%7D;bucket=42', 42],
  ['bucket=10000', null],
  ['bucket=-1', null],
  ['bucket=1.5', null],
  ['bucket=', null],
  ['bucket=NaN', null],
  ['xbucket=5', null],
  ['bucket', null],
  ['', null],
  [';;;=;', null],
])('%j contains the bucket %j', (header, bucket) => {
  expect(readCookies(header)).toEqual({ bucket, preview: null });
});

test('of several cookies with one name, the first valid value counts', () => {
  const [one, two] = ['a'.repeat(43), 'b'.repeat(43)];
  expect(
    readCookies(
      `__Host-Http-preview=x; preview=${two}; __Host-Http-preview=${one}; __Host-Http-preview=${two}; bucket=abc; bucket=42; bucket=7`,
    ),
  ).toEqual({ bucket: 42, preview: one });
});

test("other programs' cookie cannot replace the prefixed bucket", () => {
  expect(readCookies('bucket=7; __Host-bucket=42').bucket).toBe(42);
  expect(readCookies('bucket=7; __Host-bucket=x').bucket).toBe(7);
});

test('cookies are inaccessible to scripts, not sent cross-site, and secure over https', () => {
  expect(bucketCookie(7, true)).toBe(
    '__Host-bucket=7; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  expect(bucketCookie(7, false)).toBe('bucket=7; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax');
  expect(previewCookie('abc', 60)).toBe(
    '__Host-Http-preview=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Strict',
  );
  expect(noPreviewCookie()).toBe(
    '__Host-Http-preview=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict',
  );
});
