import type { Locator, Page } from 'playwright-core';
import { sharedSite } from './harness/shared-site.ts';
import { readTitle } from './harness/site-pages.ts';
import { leap, open, visitors, type Visitor } from './harness/visitor.ts';

const mainLinks = {
  HOME: '/home',
  BLOCKS: '/blocks',
  'START building': '/start',
  SUPPORT: '/support',
  DEVELOPERS: '/developers',
} as const;

const newVisitor = visitors();

const headerLinks = (page: Page) => page.getByRole('banner').getByRole('navigation', { name: 'Main' });

const mark = (page: Page) => page.evaluate(() => Object.assign(window, { sameDocument: true }));
const isMarked = (page: Page) => page.evaluate(() => 'sameDocument' in window);

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);

async function fromServer(address: string): Promise<{ title: string; parts: number }> {
  const html = await (await fetch(address)).text();
  return { title: readTitle(html), parts: html.split('<h2').length - 1 };
}

/** Waits for this many parts of the page: those below the first view render a moment after a click. */
const untilWhole = (page: Page, parts: number) =>
  page.waitForFunction((wanted) => document.querySelectorAll('h2').length === wanted, parts);

/** The links among `links` that are marked as current, and those that are bold. */
async function currentLinks(links: Locator): Promise<{ current: string[]; bold: string[] }> {
  return links.evaluateAll((found) => ({
    current: found
      .filter((link) => link.getAttribute('aria-current') === 'page')
      .map((link) => link.textContent),
    bold: found
      .filter((link) => Number(getComputedStyle(link).fontWeight) >= 700)
      .map((link) => link.textContent),
  }));
}

test('each link of the header opens its page in place: title, focus, bold current link', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await open(visitor, `${sharedSite().url}/agencies`);
  await mark(page);
  const main = headerLinks(page);
  const links = main.locator('a[data-label]');
  expect(await links.allTextContents()).toEqual(Object.keys(mainLinks));
  expect(await currentLinks(links)).toEqual({ current: [], bold: [] });

  for (const [label, path] of Object.entries(mainLinks)) {
    await main.getByRole('link', { name: label, exact: true }).click();
    await page.waitForURL(`**${path}`);
    const { title, parts } = await fromServer(page.url());
    expect(await page.title()).toBe(title);
    expect(await focused(page)).toBe('main');
    await untilWhole(page, parts);
    expect(await currentLinks(links)).toEqual({ current: [label], bold: [label] });
    expect(await page.evaluate(() => scrollY)).toBe(0);
  }

  await page.getByRole('banner').getByRole('link', { name: 'Blocks', exact: true }).first().click();
  await page.waitForURL('**/home');
  expect(await isMarked(page)).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test('each link of the mobile panel opens its page in place and closes the panel', async () => {
  const visitor = await newVisitor({ viewport: { width: 390, height: 844 } });
  const { page } = visitor;
  await open(visitor, `${sharedSite().url}/agencies`);
  await mark(page);
  const panel = page.getByRole('dialog', { name: 'Menu' });
  for (const [label, path] of Object.entries(mainLinks)) {
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await panel.getByRole('link', { name: label, exact: true }).click();
    await page.waitForURL(`**${path}`);
    await panel.waitFor({ state: 'hidden' });
    expect(await page.title()).toBe((await fromServer(page.url())).title);
    expect(await focused(page)).toBe('main');

    await page.getByRole('button', { name: 'Open the menu' }).click();
    expect(await currentLinks(panel.locator('a[data-label]'))).toEqual({ current: [label], bold: [label] });
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
  }
  expect(await isMarked(page)).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test.each([
  ['desktop', { width: 1280, height: 900 }],
  ['mobile', { width: 390, height: 844 }],
])('each link of the footer opens its page in place (%s)', async (_, viewport) => {
  const visitor = await newVisitor({ viewport });
  const { page } = visitor;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(visitor, `${sharedSite().url}/agencies`);
  await mark(page);
  const links = page.getByRole('contentinfo').locator('a[href^="/"]');
  const labels = await links.allInnerTexts();
  expect(labels).toEqual([
    ...['About Us', 'Team', 'Partners', 'Investors', 'Study Cases'],
    ...['All blocks', 'Auth Block', 'For indie developers', 'For startups', 'For agencies'],
    ...['Documentation', 'Get started', 'Support', 'Support policy'],
    ...['Privacy', 'Terms', 'Cookies'],
  ]);

  for (const [index] of labels.entries()) {
    const link = links.nth(index);
    const target = new URL((await link.getAttribute('href'))!, page.url()).href;
    // The target of a first request for the same link, after its redirects.
    const answer = await fetch(target);
    const section = /^\/company\/(team|investors)$/.exec(new URL(target).pathname)?.[1];
    await link.click();
    await page.waitForURL(answer.url + (section && !answer.url.includes('#') ? `#${section}` : ''));
    expect(await page.title()).toBe(readTitle(await answer.text()));
    expect(await focused(page)).toBe(section ?? 'main');
    if (!section) expect(await page.evaluate(() => scrollY)).toBe(0);
  }
  expect(await isMarked(page)).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test('Back, Forward and a reload restore the scroll position', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  const scrollTo = (top: number) =>
    page.evaluate((y) => {
      window.scrollTo(0, y);
    }, top);
  const arriveAt = (path: string, top: number) =>
    page.waitForFunction(([wanted, y]) => location.pathname === wanted && Math.abs(scrollY - y) <= 1, [
      path,
      top,
    ] as const);
  await open(visitor, `${sharedSite().url}/home`);
  await mark(page);
  await scrollTo(1_100);
  await headerLinks(page).getByRole('link', { name: 'BLOCKS' }).click();
  await arriveAt('/blocks', 0);
  await scrollTo(700);
  await headerLinks(page).getByRole('link', { name: 'START building' }).click();
  await arriveAt('/start', 0);

  await page.goBack();
  await arriveAt('/blocks', 700);
  await page.goBack();
  await arriveAt('/home', 1_100);
  await page.goForward();
  await arriveAt('/blocks', 700);
  expect(await isMarked(page)).toBe(true);

  await page.reload();
  await arriveAt('/blocks', 700);
  expect(await isMarked(page)).toBe(false);

  // Below the end of the page in between.
  await open(visitor, `${sharedSite().url}/policies/cookies`);
  const deepest = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  await headerLinks(page).getByRole('link', { name: 'HOME' }).click();
  await arriveAt('/home', 0);
  await untilWhole(page, (await fromServer(page.url())).parts);
  await scrollTo(deepest + 500);
  await arriveAt('/home', deepest + 500);
  await page.goBack();
  await arriveAt('/policies/cookies', 0);
  await page.goForward();
  await arriveAt('/home', deepest + 500);
  expect(visitor.problems()).toEqual([]);
});

test.each([390, 1280])('any way to an anchor stops below the fixed header (%i px)', async (width) => {
  const visitor = await newVisitor({ viewport: { width, height: 850 } });
  const { page } = visitor;
  const isClear = (id: string) =>
    page.waitForFunction((wanted) => {
      const top = document.getElementById(wanted)?.getBoundingClientRect().top ?? -1;
      const header = document.querySelector('header')!.getBoundingClientRect().bottom;
      return top >= header && top < innerHeight / 2;
    }, id);

  // As the first request …
  await open(visitor, `${sharedSite().url}/about-us#team`);
  await isClear('team');
  // … from another page …
  await open(visitor, `${sharedSite().url}/blocks`);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Team', exact: true }).click();
  await page.waitForURL('**/about-us#team');
  await isClear('team');
  expect(await focused(page)).toBe('team');
  // … and within the page.
  await open(visitor, `${sharedSite().url}/policies/privacy`);
  const [entry, id] = await page
    .locator('main a[href^="#"], main a[href*="/policies/privacy#"]')
    .evaluateAll((links) => {
      const hashes = links.map((link) => (link as HTMLAnchorElement).hash.slice(1));
      return [hashes.length - 2, hashes.at(-2)!] as const;
    });
  await page.locator('main a[href^="#"], main a[href*="/policies/privacy#"]').nth(entry).click();
  await page.waitForURL(`**#${id}`);
  await isClear(id);
  expect(visitor.problems()).toEqual([]);
});

test('a click while another page is loading wins, even if that page arrives later', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  let letThrough!: () => void;
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route('**/assets/mfe-blocks/**', async (route) => {
    await held;
    await route.continue();
  });
  await open(visitor, `${sharedSite().url}/support`);
  const main = headerLinks(page);
  await main.getByRole('link', { name: 'BLOCKS' }).click();
  expect(new URL(page.url()).pathname).toBe('/support');
  await main.getByRole('link', { name: 'START building' }).click();
  await page.waitForURL('**/start');

  const arrived = page.waitForEvent('requestfinished', (request) =>
    /\/blocks-page\.[^/]*\.js$/.test(request.url()),
  );
  letThrough();
  await arrived;
  // The page is loaded now: opening it takes no request, so the earlier click would have shown by then.
  await main.getByRole('link', { name: 'DEVELOPERS' }).click();
  await page.waitForURL('**/developers');
  await page.goBack();
  await page.waitForURL('**/start');
  await page.goBack();
  await page.waitForURL('**/support');
  expect(visitor.problems()).toEqual([]);
});

test('a hover loads the code of a page, and the click after it fetches nothing', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  const isBlocksCode = /\/mfe-blocks\/(?:.*\/)?(?:remoteEntry|blocks-page)\.[^/]*\.js$/;
  const run: string[] = [];
  // Prefetched files are not scripts yet.
  page.on('request', (request) => {
    if (request.resourceType() === 'script' && isBlocksCode.test(request.url())) run.push(request.url());
  });
  await open(visitor, `${sharedSite().url}/support`);
  expect(run).toEqual([]);

  const arrived = page.waitForEvent(
    'requestfinished',
    (request) => request.resourceType() === 'script' && /\/blocks-page\.[^/]*\.js$/.test(request.url()),
  );
  await headerLinks(page).getByRole('link', { name: 'BLOCKS' }).hover();
  await arrived;
  expect(new URL(page.url()).pathname).toBe('/support');
  expect(run).toHaveLength(2);

  await headerLinks(page).getByRole('link', { name: 'BLOCKS' }).click();
  await page.waitForURL('**/blocks');
  expect(run).toHaveLength(2);
  expect(visitor.problems()).toEqual([]);
});

test('a page with a slow stylesheet is not shown without it', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  let letThrough!: () => void;
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(/\/assets\/mfe-policies\/.*\.css$/, async (route) => {
    await held;
    await route.continue();
  });
  await open(visitor, `${sharedSite().url}/support`);
  const before = await page.locator('h1').innerText();
  /** Whether the stylesheet was loaded when the heading changed. */
  const shown = page.evaluate(
    (heading) =>
      new Promise<boolean>((resolve) => {
        const observer = new MutationObserver(() => {
          const now = document.querySelector('h1')?.innerText;
          if (now === undefined || now === heading) return;
          observer.disconnect();
          resolve([...document.styleSheets].some(({ href }) => href?.includes('/assets/mfe-policies/')));
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
    before,
  );
  const code = page.waitForEvent('requestfinished', (request) =>
    /\/mfe-policies\/.*privacy-page\.[^/]*\.js$/.test(request.url()),
  );
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy', exact: true }).click();
  await code;
  // Its code has run by then.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  expect(new URL(page.url()).pathname).toBe('/support');
  letThrough();
  expect(await shown).toBe(true);
  await page.waitForURL('**/policies/privacy');
  expect(visitor.problems()).toEqual([]);
});

describe('when the release of a tab was revoked', () => {
  let visitor: Visitor;
  /** Responds to the tab's pending version check. */
  let tell: () => void;
  const header = (name: string) => headerLinks(visitor.page).getByRole('link', { name, exact: true });
  const privacy = () =>
    visitor.page.getByRole('contentinfo').getByRole('link', { name: 'Privacy', exact: true });

  /** Opens /support, and waits until the tab's next navigation checks the version. */
  beforeEach(async () => {
    visitor = await newVisitor();
    const { page } = visitor;
    const told = new Promise<void>((resolve) => (tell = resolve));
    await page.clock.install();
    await page.route(/state\?release=/, async (route) => {
      await told;
      const own = new URL(route.request().url()).searchParams.get('release');
      await route.fulfill({ json: { release: 'r999', revoked: [own] } });
    });
    const table = page.waitForResponse('**/__site/state');
    await open(visitor, `${sharedSite().url}/support`);
    await (await table).finished();
    await mark(page);
    await leap(visitor, '00:31');
  });

  test('the tab leaves it although the code of the next page does not respond', async () => {
    const { page } = visitor;
    const hanging = (url: URL) => url.pathname.startsWith('/assets/mfe-policies/');
    await page.route(hanging, () => new Promise<void>(() => undefined));
    const left = page.waitForEvent('request', (request) => request.isNavigationRequest());
    await privacy().click();
    tell();
    expect(new URL((await left).url()).pathname).toBe('/policies/privacy');
  });

  test('the tab stays without a network, and leaves it when the network returns', async () => {
    const { page, context } = visitor;
    await header('BLOCKS').click();
    await page.waitForURL('**/blocks'); // the response takes too long, so the tab does not wait for it
    const answered = page.waitForResponse(/state\?release=/);
    tell();
    await (await answered).finished();
    await context.setOffline(true);
    await header('SUPPORT').click();
    await page.waitForURL('**/support');
    await page.locator('main h1').waitFor();
    expect(await isMarked(page)).toBe(true);

    await context.setOffline(false);
    const left = page.waitForEvent('load');
    await header('BLOCKS').click();
    await left;
    await page.waitForURL('**/blocks');
    expect(await isMarked(page)).toBe(false);
  });
});
