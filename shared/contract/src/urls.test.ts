import { isHttpsOrLocal, isLoopbackHost, withoutTrailingSlashes } from './urls.ts';

test.each(['localhost', 'localhost.', '127.0.0.1', '127.1.2.3', '[::1]'])('%s is this machine', (host) =>
  expect(isLoopbackHost(host)).toBe(true),
);

test.each(['localhost.example.com', 'x.localhost', '127.example.com', '128.0.0.1', '[::2]', ''])(
  '%j is or may be another machine',
  (host) => expect(isLoopbackHost(host)).toBe(false),
);

test.each([
  ['https://example.com', true],
  ['http://localhost:8083/x', true],
  ['http://127.0.0.2', true],
  ['http://[::1]:1', true],
  ['http://example.com', false],
  ['http://localhost.example.com', false],
  ['ws://localhost', false],
  ['file://localhost/x', false],
])('%s is https or local: %s', (url, is) => expect(isHttpsOrLocal(new URL(url))).toBe(is));

test.each([
  ['/home', '/home'],
  ['/home///', '/home'],
  ['//a//b/', '//a//b'],
  ['/', ''],
  ['', ''],
  [`/${'/'.repeat(1_000)}x`, `/${'/'.repeat(1_000)}x`],
])('%j is %j without trailing slashes', (path, without) => {
  expect(withoutTrailingSlashes(path)).toBe(without);
});
