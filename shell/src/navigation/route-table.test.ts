import type { BootRoute } from '@site/contract';
import { createRouteTable } from './route-table.ts';

const page = (path: string): BootRoute => ({ path, remote: 'mfe-a', module: './a' });
const home = page('/home');
const about = page('/about-us');

const table = createRouteTable(
  [home, about],
  [
    { from: '/', to: '/home' },
    { from: '/company', to: '/about-us' },
    { from: '/company/team', to: '/about-us#team' },
    { from: '*', to: '/home' },
  ],
);
const resolve = (path: string) => {
  const { url, route } = table.resolve(new URL(path, 'https://site.test'));
  return { to: url.pathname + url.search + url.hash, route };
};

test.each([
  ['/home', '/home', home],
  ['/home/', '/home/', home],
  ['/', '/home', home],
  ['/company', '/about-us', about],
  ['/Home', '/home', home],
  ['/About-Us/?a=1#offices', '/about-us?a=1#offices', about],
  ['/COMPANY/Team', '/about-us#team', about],
  ['/company/', '/about-us', about],
  ['/nobody/knows', '/home', home],
  ['/home.html', '/home', home],
  ['/index.php?a=1', '/home?a=1', home],
  // Files: the edge responds with 404.
  ['/nope.png', '/nope.png', undefined],
  ['/assets/nope', '/assets/nope', undefined],
  ['/company/team', '/about-us#team', about],
  ['/company?utm_source=x', '/about-us?utm_source=x', about],
  ['/company/team?a=1', '/about-us?a=1#team', about],
  ['/company#offices', '/about-us#offices', about],
])('%s leads to %s', (path, to, route) => {
  expect(resolve(path)).toEqual({ to, route });
});

test('a redirect loop has no target', () => {
  const circle = createRouteTable(
    [],
    [
      { from: '/a', to: '/b' },
      { from: '/b', to: '/a' },
    ],
  );
  expect(circle.resolve(new URL('https://site.test/a')).route).toBeUndefined();
});

test('resolves like the edge: "//" is not the root, and file paths match exactly', () => {
  const { resolve } = createRouteTable(
    [home, about],
    [
      { from: '/', to: '/home' },
      { from: '*', to: '/about-us' },
    ],
  );
  expect(resolve(new URL('https://site.test//')).route).toBe(about);
  expect(resolve(new URL('https://site.test/nope.png/')).route).toBe(about);
  expect(resolve(new URL('https://site.test/assets/')).route).toBeUndefined();
});

test('a path without an owner and without a "*" redirect has no target', () => {
  expect(createRouteTable([home], []).resolve(new URL('https://site.test/x')).route).toBeUndefined();
});

test('the path of a retired app is left to the edge, and not matched by "*"', () => {
  const { resolve } = createRouteTable([home], [{ from: '*', to: '/home' }], ['/careers']);
  expect(resolve(new URL('https://site.test/careers/')).route).toBeUndefined();
  expect(resolve(new URL('https://site.test/careers/jobs')).route).toBe(home);
});
