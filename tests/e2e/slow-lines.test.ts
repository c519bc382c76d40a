import type { Page, Request } from 'playwright-core';
import { sharedSite } from './harness/shared-site.ts';
import { hydrated, open, visitors } from './harness/visitor.ts';

const { url: site } = sharedSite();
const newVisitor = visitors();

const LATER_CODE = /\/later-[^/]*\.js$/;

async function hold(page: Page, url: RegExp): Promise<{ release: () => void }> {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return { release };
}

/** The page is interactive; parts with held code are not hydrated yet. */
const interactive = (page: Page) => page.waitForSelector('html[data-interactive]', { state: 'attached' });

const scrollTo = (page: Page, top: number) => page.evaluate((y) => window.scrollTo(0, y), top);
const scrolledTo = (page: Page, top: number) => page.waitForFunction((y) => Math.abs(scrollY - y) <= 1, top);
const headerLink = (page: Page, name: string) =>
  page.getByRole('banner').getByRole('link', { name, exact: true }).first();

test('an anchor link keeps a form whose code has not arrived, and the text in it', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  const code = await hold(page, LATER_CODE);
  // The event "load" may wait for the held code.
  const commit = { waitUntil: 'commit' } as const;
  await page.goto(`${site}/partners`, commit);
  await interactive(page);
  const name = page.getByLabel('Business name');
  await name.fill('Ada & Co');
  await page.getByRole('link', { name: 'Become a partner' }).click();
  await page.waitForURL('**/partners#*', commit);
  expect(await name.inputValue()).toBe('Ada & Co');
  await page.goBack(commit);
  await page.waitForURL('**/partners', commit);
  expect(await name.inputValue()).toBe('Ada & Co');

  code.release();
  await hydrated(page);
  expect(await name.inputValue()).toBe('Ada & Co');
  expect(visitor.problems()).toEqual([]);
});

test('a change in the calculator does not cancel an immediate click on a link', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await open(visitor, `${site}/agencies`);
  const code = await hold(page, /\/start-page\.[^/]*\.js$/);
  await page.locator('#roi input:not([type=radio])').first().fill('7');
  await headerLink(page, 'START building').click();
  // The timer of the calculator writes the figure into the address of the page that is still shown.
  await page.waitForURL(/\/agencies\?.*=7/);
  code.release();
  await page.waitForURL('**/start');
  await page.goBack();
  await page.waitForURL(/\/agencies\?.*=7/);
  expect(visitor.problems()).toEqual([]);
});

test('after one failed request of its remote, a visited page keeps its styles and its later parts', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  const calculatorHeight = () =>
    page.locator('#roi').evaluate((part) => Math.round(part.getBoundingClientRect().height));
  await open(visitor, `${site}/agencies`);
  const before = await calculatorHeight();
  let failures = 0;
  await page.route(/\/start-page\.[^/]*\.js$/, (route) =>
    route.request().resourceType() === 'script' && failures++ === 0 ? route.abort() : route.continue(),
  );
  await headerLink(page, 'START building').click();
  await page.waitForURL('**/start');
  expect(failures).toBeGreaterThan(0);
  await page.goBack();
  await page.waitForURL('**/agencies');
  await hydrated(page);
  await page.locator('#roi input').first().waitFor();
  expect(await calculatorHeight()).toBe(before);
});

test('Back while a page is still starting shows the page of the address', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await open(visitor, `${site}/home`);
  const title = await page.title();
  await headerLink(page, 'BLOCKS').click();
  await page.waitForURL('**/blocks');
  const entry = await hold(page, /\/mfe-blocks\/.*remoteEntry[^/]*\.js$/);
  const starting = page.waitForEvent('console');
  await page.reload({ waitUntil: 'commit' });
  await starting;
  await page.evaluate(() => history.back());
  await page.waitForURL('**/home', { waitUntil: 'commit' });
  entry.release();
  await interactive(page);
  await page.waitForFunction((wanted) => document.title === wanted, title);
  expect(new URL(page.url()).pathname).toBe('/home');
  expect(await page.getByTestId('error-panel').count()).toBe(0);
  expect(visitor.problems()).toEqual([]);
});

test('a tab that the browser discarded in the background restores its scroll position', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  // The browser ends such a tab without this event.
  await page.addInitScript(() =>
    window.addEventListener('pagehide', (event) => event.stopImmediatePropagation()),
  );
  await open(visitor, `${site}/policies/privacy`);
  await scrollTo(page, 3_000);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.reload();
  await scrolledTo(page, 3_000);

  // On a slow line the visitor scrolls before the script arrives, and stays there.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const isScript = (request: Request) =>
    /\/assets\/shell\/main\.[^/]*\.js$/.test(new URL(request.url()).pathname);
  const script = await hold(page, /\/assets\/shell\/main\.[^/]*\.js$/);
  const asked = page.waitForRequest(isScript);
  await page.reload({ waitUntil: 'commit' });
  await asked;
  await page.waitForFunction(() => document.documentElement.scrollHeight > 4_000);
  await scrollTo(page, 700);
  script.release();
  await hydrated(page);
  expect(await page.evaluate(() => scrollY)).toBe(700);
  expect(visitor.problems()).toEqual([]);
});

test('Back to a position below a part that is still loading ends at that position', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await open(visitor, `${site}/agencies`);
  await page.getByText('Success Stories').last().scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => {
    window.scrollTo(0, document.documentElement.scrollHeight - innerHeight - 1_200);
    return Math.round(scrollY);
  });
  await headerLink(page, 'BLOCKS').click();
  await page.waitForURL('**/blocks');
  const code = await hold(page, LATER_CODE);
  // The event "load" may wait for the held code.
  await page.reload({ waitUntil: 'commit' });
  await page.waitForSelector('html[data-interactive]', { state: 'attached' });
  await page.goBack({ waitUntil: 'commit' });
  await page.waitForURL('**/agencies');
  await page.locator('h1').waitFor();
  expect(await page.locator('#roi input').count()).toBe(0);
  code.release();
  await page.locator('#roi input').first().waitFor();
  await scrolledTo(page, top);
  expect(visitor.problems()).toEqual([]);
});

test('figures typed before the calculator’s code arrives are used, together with the figures of the address', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await open(visitor, `${site}/agencies?hours=80`);
  const code = await hold(page, LATER_CODE);
  await page.reload({ waitUntil: 'commit' });
  await interactive(page);
  const field = (label: string) => page.locator('#roi').getByLabel(label);
  await field('Projects per month').first().fill('16.5');
  await field('Cost of an hour, slider').fill('60');
  code.release();
  await page.waitForURL((url) => url.search === '?hours=80&projects=16.5&cost=60');
  expect(await field('Projects per month').first().inputValue()).toBe('16.5');
  expect(await field('Cost of an hour').first().inputValue()).toBe('60');
  expect(await field('Hours per project').first().inputValue()).toBe('80');
  expect(visitor.problems()).toEqual([]);
});

test('a reload at an anchor keeps the position that the visitor scrolled to before the script arrives', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await open(visitor, `${site}/policies/privacy`);
  const link = page.locator('main a[href*="#"]').nth(3);
  await link.click();
  await page.waitForURL('**/policies/privacy#*');
  await scrollTo(page, 4_000);
  await page.reload();
  await scrolledTo(page, 4_000);

  const script = await hold(page, /\/assets\/shell\/main\.[^/]*\.js$/);
  const started = page.waitForRequest(/\/assets\/shell\/main\.[^/]*\.js$/);
  await page.reload({ waitUntil: 'commit' });
  await started;
  await page.waitForFunction(() => document.readyState === 'interactive');
  await scrollTo(page, 700);
  script.release();
  await hydrated(page);
  expect(await page.evaluate(() => scrollY)).toBe(700);
  expect(visitor.problems()).toEqual([]);
});
