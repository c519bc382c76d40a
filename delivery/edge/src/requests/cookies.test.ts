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
  expect(readCookies(header, false)).toEqual({ bucket, preview: null, cleared: null });
});

test('of several cookies with one name, the first valid value counts', () => {
  const [one, two] = ['a'.repeat(43), 'b'.repeat(43)];
  expect(
    readCookies(
      `__Host-Http-preview=x; preview=${two}; __Host-Http-preview=${one}; __Host-Http-preview=${two}; bucket=abc; bucket=42; bucket=7`,
      false,
    ),
  ).toEqual({ bucket: 42, preview: one, cleared: null });
});

test('over https, cookies that scripts can set count as neither bucket nor removal', () => {
  const planted = 'bucket=7; __Host-bucket=7; cleared=7; __Host-cleared=7';
  expect(readCookies(planted, true)).toEqual({ bucket: null, preview: null, cleared: null });
  const own = '__Host-Http-bucket=42; __Host-Http-cleared=1795860000000';
  expect(readCookies(`${planted}; ${own}`, true)).toMatchObject({ bucket: 42, cleared: '1795860000000' });
});

test('cookies are inaccessible to scripts, not sent cross-site, and secure over https', () => {
  expect(bucketCookie(7, true)).toBe(
    '__Host-Http-bucket=7; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  expect(bucketCookie(7, false)).toBe('bucket=7; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax');
  expect(previewCookie('abc', 60)).toBe(
    '__Host-Http-preview=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  expect(noPreviewCookie()).toBe('__Host-Http-preview=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax');
});
