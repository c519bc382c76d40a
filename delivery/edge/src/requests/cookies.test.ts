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

test('of two cookies with one name, the first counts, since browsers send the more specific one first', () => {
  expect(
    readCookies('__Host-Http-preview=abc; preview=ghi; __Host-Http-preview=def; bucket=1; bucket=2'),
  ).toEqual({
    bucket: 1,
    preview: 'abc',
  });
});

test('cookies are inaccessible to scripts, not sent cross-site, and secure over https', () => {
  expect(bucketCookie(7, true)).toBe('bucket=7; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax');
  expect(previewCookie('abc', 60)).toBe(
    '__Host-Http-preview=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Strict',
  );
  expect(noPreviewCookie()).toBe(
    '__Host-Http-preview=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict',
  );
});
