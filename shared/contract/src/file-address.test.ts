import { asksForFile } from './file-address.ts';

test.each([
  '/nope.png',
  '/deep/er/photo.JPEG',
  '/favicon.ico',
  '/assets/shell/main',
  '/.env',
  '/.well-known/change-password',
  '/.git/config',
])('%s is a file request', (path) => {
  expect(asksForFile(path)).toBe(true);
});

test.each(['/nope', '/home.html', '/index.php', '/v1.2', '/blocks.auth', '/a.b/c', '/png', '/assets'])(
  '%s is a page request',
  (path) => {
    expect(asksForFile(path)).toBe(false);
  },
);
