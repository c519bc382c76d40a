import type { Page } from 'playwright-core';
import type { SearchFound } from '@site/contract/search';
import { violationsIn } from './harness/axe.ts';
import { isFocused } from './harness/keyboard.ts';
import { sharedSite } from './harness/shared-site.ts';
import { until } from './harness/until.ts';
import { open, type VisitorOptions, visitors } from './harness/visitor.ts';

const { url: site } = sharedSite();
const newVisitor = visitors();

const wide = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

async function visit(path: string, options: VisitorOptions = { viewport: wide }) {
  const visitor = await newVisitor(options);
  await open(visitor, site + path);
  return visitor;
}

const field = (page: Page) => page.getByRole('banner').locator('input[type="search"]');
const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
const status = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text });
const firstResult = (page: Page) => page.getByRole('main').locator('ol a').first();

test('without JavaScript the field leads to results, which link to their sections', async () => {
  const visitor = await newVisitor({ javaScript: false, viewport: wide });
  const { page } = visitor;
  await page.goto(`${site}/blocks`);
  await field(page).fill('pricng');
  await field(page).press('Enter');
  await page.waitForURL('**/search?q=pricng');
  await page.getByRole('heading', { level: 2, name: /^\d+ results? for “pricng”$/ }).waitFor();
  expect(await page.getByRole('main').getByRole('searchbox').inputValue()).toBe('pricng');
  await firstResult(page).click();
  await page.waitForURL('**/start#pricing');
  expect(await page.locator('#pricing').boundingBox()).toMatchObject({ y: expect.closeTo(64, -2) as number });

  await page.setViewportSize(phone);
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
  await page.waitForURL('**/search?q=');
  expect(await page.getByRole('main').locator('ol').count()).toBe(0);
  await page.getByRole('main').getByRole('searchbox').fill('zeppelin');
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await page.getByRole('heading', { name: 'Nothing found for “zeppelin”' }).waitFor();
  const ways = page.getByRole('region', { name: 'Good places to begin' }).getByRole('link');
  expect(await ways.evaluateAll((all) => all.map((each) => each.getAttribute('href')))).toEqual(
    expect.arrayContaining(['/blocks', '/developers', '/support']),
  );
  expect(visitor.problems()).toEqual([]);
});

test.each([
  ...[
    'companies',
    'file management',
    'forms',
    'auth',
    'geolocation',
    'jarvis',
    'journey',
    'onboarding',
    'products',
  ],
  ...['real time', 'rewards', 'sales', 'search', 'university', 'content'],
])('the block %s is the first result for its name', async (block) => {
  expect(await firstPlace(block)).toBe(`/blocks/${block.replace(' ', '-')}`);
});

test.each([
  ['documentation', '/developers#reference'],
  ['sign up', '/start#steps'],
  ['pricing', '/start#pricing'],
  ['refer', '/partners#refer'],
  ['partner', '/partners#apply'],
  ['cookies', '/policies/cookies'],
])('the first result for “%s” is %s', async (query, place) => {
  expect(await firstPlace(query)).toBe(place);
});

async function firstPlace(query: string): Promise<string | undefined> {
  const answer = await fetch(`${site}/__site/search?${new URLSearchParams({ q: query }).toString()}`);
  const { results } = (await answer.json()) as SearchFound;
  return results[0]?.href;
}

test('the page of results hydrates unchanged, and the Back button restores its results', async () => {
  const visitor = await visit('/search?q=priorities');
  const { page } = visitor;
  const before = await page.locator('main ol').innerHTML();
  const href = String(await firstResult(page).getAttribute('href'));
  expect(href).toMatch(/#priorities$/);
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  await firstResult(page).click();
  await page.waitForURL(site + href);
  await page.goBack();
  await page.getByRole('heading', { level: 2, name: /^\d+ results? for “priorities”$/ }).waitFor();
  expect(await page.getByRole('main').getByRole('searchbox').inputValue()).toBe('priorities');
  expect(await page.locator('main ol').innerHTML()).toBe(before);
  expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test('Ctrl+K focuses the field, arrow keys select, Enter opens the section, all without a new document', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  expect(visitor.requested().filter((path) => /\/search\.\w+\.js$/.test(path))).toEqual([]);
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  await pressSearchKeys(page, () => isFocused(field(page)));
  expect(await field(page).inputValue()).toBe('');
  await page.keyboard.type('pasword recov');
  await status(page, /results? for “pasword recov”/).waitFor();
  expect(await field(page).getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('ArrowUp');
  expect(await options(page).last().getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const first = options(page).first();
  expect(await first.getAttribute('aria-selected')).toBe('true');
  expect(await field(page).getAttribute('aria-activedescendant')).toBe(await first.getAttribute('id'));
  expect(await isFocused(field(page))).toBe(true);
  await page.keyboard.press('Enter');
  const answer = await fetch(`${site}/__site/search?q=pasword+recov`);
  const [best] = ((await answer.json()) as SearchFound).results;
  await page.waitForURL(site + String(best?.href));
  expect(await options(page).filter({ visible: true }).count()).toBe(0);
  expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test('Escape closes the suggestions and keeps the words; Enter then opens all results', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  await field(page).click();
  await page.keyboard.type('forms');
  await status(page, /results for “forms”/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  expect([await field(page).inputValue(), await isFocused(field(page))]).toEqual(['forms', true]);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=forms');
  expect(visitor.problems()).toEqual([]);
});

test('a click opens a suggestion; without one the field shows so and offers alternatives', async () => {
  const visitor = await visit('/start');
  const { page } = visitor;
  await field(page).click();
  await page.keyboard.type('zeppelin');
  await status(page, 'Nothing found for “zeppelin”').waitFor();
  expect(await options(page).allInnerTexts()).toEqual(['BLOCKS', 'SUPPORT', 'DEVELOPERS']);
  await options(page).filter({ hasText: 'DEVELOPERS' }).click();
  await page.waitForURL('**/developers');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Tab');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  expect(visitor.problems()).toEqual([]);
});

test('Ctrl+K does nothing in a text field; single keys do nothing; on /search its own field gets the focus', async () => {
  const visitor = await visit('/partners');
  const { page } = visitor;
  const name = page.locator('main form input:not([type="hidden"])').first();
  await name.focus();
  await page.keyboard.type('a/b');
  await page.keyboard.press('Control+k');
  expect([await name.inputValue(), await isFocused(name)]).toEqual(['a/b', true]);
  await open(visitor, `${site}/search?q=`);
  await expectFocusByKeys(page);
  expect(visitor.problems()).toEqual([]);
});

test.each([phone, { width: 1024, height: 768 }])(
  'at %o the icon opens the palette with the focus in its field; Escape closes it',
  async (viewport) => {
    const visitor = await visit('/start', { viewport });
    const { page } = visitor;
    await pressSearchKeys(page, () => isFocused(field(page)));
    await page.keyboard.press('Escape');
    expect(await field(page).isVisible()).toBe(false);
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
    expect(await isFocused(field(page))).toBe(true);
    await page.keyboard.type('auth');
    const groups = page.getByRole('listbox').getByRole('group');
    // The first letters find other pages.
    await until(async () => expect(await groups.first().getAttribute('aria-label')).toBe('Blocks'));
    expect((await options(page).first().innerText()).split('\n')[0]).toBe('Auth Block');
    const { x, width } = (await page.locator('#search-panel').boundingBox())!;
    expect(Math.abs(x + width / 2 - viewport.width / 2)).toBeLessThanOrEqual(8);
    expect(visitor.problems()).toEqual([]);
  },
);

async function expectFocusByKeys(page: Page): Promise<void> {
  const own = page.getByRole('main').getByRole('searchbox');
  await pressSearchKeys(page, () => isFocused(own));
  expect(await own.inputValue()).toBe('');
  await own.blur();
  await page.keyboard.press('/');
  expect(await isFocused(own)).toBe(false);
}

/** Retries, because the code for shortcuts loads after hydration. */
function pressSearchKeys(page: Page, isDone: () => Promise<boolean> | boolean): Promise<void> {
  return until(async () => {
    if (await isDone()) return;
    await page.keyboard.press('Control+k');
    if (!(await isDone())) throw new Error('The keys Ctrl+K do nothing yet.');
  });
}

test('without a network the field stays usable, and suggestions resume afterwards', async () => {
  const visitor = await visit('/blocks');
  const { page, context } = visitor;
  await field(page).click();
  await page.keyboard.type('auth');
  await options(page).first().waitFor();
  await context.setOffline(true);
  await page.keyboard.type('x');
  await context.setOffline(false);
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await status(page, /results for “aut”/).waitFor();
  // The browser logs the lost network.
  expect(visitor.problems().filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

test('hostile words are shown as text: in the address, in the field and in the results', async () => {
  const visitor = await visit(
    `/search?q=${encodeURIComponent('"><img src=x onerror=alert(1)><script>forms')}`,
  );
  const { page } = visitor;
  expect(await page.getByRole('main').getByRole('searchbox').inputValue()).toBe(
    '"><img src=x onerror=alert(1)><script>forms',
  );
  expect(await page.locator('main img, main script').count()).toBe(0);
  await field(page).fill('<b>bold</b> forms');
  await options(page).first().waitFor();
  expect(await page.locator('#search-panel script, #search-panel img').count()).toBe(0);
  expect(visitor.problems()).toEqual([]);
});

test.each([
  ['/search', phone],
  ['/search?q=auth', phone],
  ['/search?q=auth', wide],
  ['/search?q=zeppelin', phone],
  ['/search?q=zeppelin', wide],
])('%s has no accessibility violations, light and dark', async (path, viewport) => {
  const visitor = await visit(path, { viewport });
  expect(await violations(visitor.page)).toEqual({});
});

test('open suggestions have no accessibility violations', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  await field(page).click();
  await page.keyboard.type('auth');
  await options(page).first().waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await violations(page)).toEqual({});
});

async function violations(page: Page): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const problems = await violationsIn(page, {
      rules: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    if (problems.length > 0) found[colorScheme] = problems;
  }
  return found;
}

test('the first use loads at most 25 KB, and its code once', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  const code = /\/assets\/shell\/search\.\w+\.js$/;
  const scripts = () => visitor.requested().filter((path) => code.test(path));
  expect(scripts()).toEqual([]);
  const [script, answer] = await Promise.all([
    page.waitForResponse((response) => code.test(new URL(response.url()).pathname)),
    page.waitForResponse((response) => response.url().includes('/__site/search')),
    field(page)
      .click()
      .then(() => page.keyboard.type('a')),
  ]);
  await options(page).first().waitFor();
  const sizes = await Promise.all([script, answer].map((response) => response.request().sizes()));
  const loaded = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  expect(loaded).toBeGreaterThan(1_000);
  expect(loaded).toBeLessThanOrEqual(25_000);
  await field(page).blur();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('u');
  await options(page).first().waitFor();
  expect(scripts()).toHaveLength(1);
  expect(visitor.problems()).toEqual([]);
});
