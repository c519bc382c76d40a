import { type Addresses, asksForFile, followRedirects, nextRedirect } from './redirects.ts';
import type { Redirect } from './route.schema.ts';

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

const redirects: Redirect[] = [
  { from: '/', to: '/home' },
  { from: '*', to: '/unknown' },
  { from: '/company', to: '/about-us' },
  { from: '/company/team', to: '/about-us#team' },
  { from: '/unknown', to: '/home' },
  { from: '/old', to: '/older#part' },
  { from: '/older', to: '/oldest' },
  { from: '/oldest', to: '/company' },
  { from: '/moved', to: '/careers' },
  { from: '/this', to: '/that' },
  { from: '/that', to: '/this' },
];
const addresses: Addresses = {
  pages: new Set(['/home', '/about-us']),
  redirects: new Map(redirects.map((redirect) => [redirect.from, redirect])),
  gone: new Set(['/careers']),
};

test.each([
  // path, next step, final page
  ['/home', '/home → /home', '/home'],
  ['/home/', '/home → /home', '/home'],
  ['/Home', '/home → /home', '/home'],
  ['/ABOUT-us//', '/about-us → /about-us', '/about-us'],
  ['/', '/ → /home', '/home'],
  // Not the root.
  ['//', '* → /unknown', '/home'],
  ['//home', '* → /unknown', '/home'],
  ['/*', '* → /unknown', '/home'],
  ['/company', '/company → /about-us', '/about-us'],
  ['/COMPANY/Team/', '/company/team → /about-us#team', '/about-us#team'],
  ['/old', '/old → /older#part', '/about-us#part'],
  ['/nobody/knows', '* → /unknown', '/home'],
  ['/home.html', '* → /unknown', '/home'],
  ['/constructor', '* → /unknown', '/home'],
  ['/careers', '/careers → null', undefined],
  ['/Careers/', '/careers → null', undefined],
  ['/careers/jobs', '* → /unknown', '/home'],
  ['/moved', '/moved → /careers', undefined],
  ['/nope.png', undefined, undefined],
  ['/nope.png/', '* → /unknown', '/home'],
  ['/assets/nope', undefined, undefined],
  ['/.env', undefined, undefined],
  // A loop.
  ['/this', '/this → /that', undefined],
])('%s: %s, and ends at %s', (path, step, end) => {
  const next = nextRedirect(path, addresses);
  expect(next && `${next.from} → ${next.to}`).toBe(step);
  expect(followRedirects(path, addresses)).toBe(end);
});

test('an anchor is kept until another one replaces it', () => {
  expect(followRedirects('/home#top', addresses)).toBe('/home#top');
  expect(followRedirects('/company#offices', addresses)).toBe('/about-us#offices');
  expect(followRedirects('/company/team#offices', addresses)).toBe('/about-us#team');
});

test('an unknown path leads nowhere without a catch-all redirect', () => {
  const bare = { ...addresses, redirects: new Map<string, Redirect>() };
  expect(nextRedirect('/nobody', bare)).toBeUndefined();
  expect(followRedirects('/nobody', bare)).toBeUndefined();
});

test('redirect chains of any length are followed', () => {
  const row = Array.from({ length: 100 }, (_, index): [string, Redirect] => [
    `/r${index}`,
    { from: `/r${index}`, to: index < 99 ? `/r${index + 1}` : '/home' },
  ]);
  expect(followRedirects('/r0', { ...addresses, redirects: new Map(row) })).toBe('/home');
});
