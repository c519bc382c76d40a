import { sharedSite } from './harness/shared-site.ts';
import { readHeading, sitePages } from './harness/site-pages.ts';
import { open, visitors } from './harness/visitor.ts';

const policies = ['privacy', 'terms-and-conditions', 'terms-of-service', 'support', 'cookies'];

/** Every redirect of the specification's route table, and the footer's pages that are sections of another. */
const redirects = [
  ['/', '/home', 302],
  ['/company', '/about-us', 308],
  ['/company/study-cases', '/cases', 308],
  ['/company/about-us', '/about-us', 308],
  ['/company/partners', '/partners', 308],
  ['/company/team', '/about-us#team', 308],
  ['/company/investors', '/about-us#investors', 308],
  ...policies.map((name) => [`/company-policies/${name}`, `/policies/${name}`, 308] as const),
  ['/no-such-page', '/home', 302],
  ['/no/such/page', '/home', 302],
  ['/policies', '/home', 302],
  ['/policies/no-such-policy', '/home', 302],
  ['/company-policies/no-such-policy', '/home', 302],
  ['/company/no-such-page', '/home', 302],
  ['/Blocks', '/blocks', 308],
  ['/COMPANY/Team', '/about-us#team', 308],
] as const;

const newVisitor = visitors();

const ask = (target: string) => fetch(sharedSite().url + target, { redirect: 'manual' });

describe('as the first request', () => {
  test.each(redirects)('%s leads to %s', async (from, to, status) => {
    const response = await ask(from);
    expect([response.status, response.headers.get('location')]).toEqual([status, to]);
    const followed = await fetch(sharedSite().url + from);
    expect([followed.status, new URL(followed.url).pathname]).toEqual([200, to.split('#')[0]]);
  });

  test.each([
    ['/?utm_source=a&b=c%20d', '/home?utm_source=a&b=c%20d'],
    ['/company/?ref=x', '/about-us?ref=x'],
    ['/company/team?ref=x', '/about-us?ref=x#team'],
    ['/company-policies/cookies?ref=x', '/policies/cookies?ref=x'],
    ['/no-such-page?ref=x', '/home?ref=x'],
    ['/start/?utm_source=home', '/start?utm_source=home'],
  ])('%s keeps its query: %s', async (from, to) => {
    expect((await ask(from)).headers.get('location')).toBe(to);
  });

  test.each(sitePages)('$path/ redirects to the same page without the slash', async ({ path }) => {
    const response = await ask(`${path}/`);
    expect([response.status, response.headers.get('location')]).toEqual([308, path]);
  });

  test.each([
    '/no-such-image.png',
    '/robots.txt.bak',
    '/assets/shell/no-such-file.js',
    '/.well-known/nothing',
  ])('the missing file %s is not found', async (path) => {
    const response = await ask(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'text/plain; charset=utf-8',
    ]);
  });

  test.each(['/%', '/%E0%A4%A', '/blocks/%ff', '/assets/shell/%c0%ae'])(
    'the malformed address %s is rejected, and the site keeps running',
    async (path) => {
      expect((await ask(path)).status).toBe(400);
      expect((await ask('/blocks')).status).toBe(200);
    },
  );

  test.each(['//example.com/home', '/\\example.com', '/%2F%2Fexample.com', '/https://example.com/'])(
    '%s never redirects to another host',
    async (path) => {
      const { headers, status } = await ask(path);
      expect([headers.get('location') ?? '/home', status]).toEqual([
        '/home',
        headers.has('location') ? 302 : 404,
      ]);
    },
  );
});

/**
 * Addresses without a link on the site (old bookmarks, unknown paths) are reached within the page like by the Back
 * button: the address changes, then `popstate` fires.
 */
test('every route and redirect works within the page, without a reload', async () => {
  const { url } = sharedSite();
  const headings = new Map<string, string | RegExp>();
  for (const { path } of sitePages) headings.set(path, readHeading(await (await fetch(url + path)).text()));
  headings.set('/home', /^(API MICROSERVICES|BACKEND AS A SERVICE)$/);

  const visitor = await newVisitor();
  const { page } = visitor;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(visitor, `${url}/support`);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));

  const wanted = [
    ...redirects.map(([from, to]) => [from, to] as const),
    ...sitePages.flatMap(({ path }) => [
      [path, path] as const,
      [`${path}/?ref=x#none`, `${path}/?ref=x#none`] as const,
    ]),
    ['/company/team?ref=x', '/about-us?ref=x#team'],
    ['/no-such-page?ref=x', '/home?ref=x'],
  ] as const;
  const arrived: (readonly [string, string])[] = [];
  for (const [from, to] of wanted) {
    await page.evaluate((target) => {
      history.pushState(null, '', target);
      dispatchEvent(new PopStateEvent('popstate'));
    }, from);
    const path = to.replace(/\/?[?#].*$/, '');
    await page.getByRole('heading', { level: 1, name: headings.get(path)! }).waitFor();
    await page.waitForURL(url + to);
    arrived.push([from, page.url().slice(url.length)]);
  }

  expect(arrived).toEqual(wanted);
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test('the footer links directly, except for the two pages that are sections of another', async () => {
  const html = await (await ask('/home')).text();
  const footer = /<footer.*<\/footer>/s.exec(html)?.[0] ?? '';
  const internal = [...footer.matchAll(/ href="(\/[^"]*)"/g)].map(([, path]) => path!);
  expect(internal.length).toBeGreaterThan(12);
  const redirected: string[] = [];
  for (const path of internal) if ((await ask(path)).status !== 200) redirected.push(path);
  expect(redirected).toEqual(['/company/team', '/company/investors']);
});

test('the footer’s redirected links lead to their pages and sections', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await open(visitor, `${sharedSite().url}/blocks`);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  const footer = page.getByRole('contentinfo');
  for (const [name, address] of [
    ['Team', '/about-us#team'],
    ['Study Cases', '/cases'],
    ['Investors', '/about-us#investors'],
  ] as const) {
    await footer.getByRole('link', { name, exact: true }).click();
    await page.waitForURL(sharedSite().url + address);
  }
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  expect(visitor.problems()).toEqual([]);
});
