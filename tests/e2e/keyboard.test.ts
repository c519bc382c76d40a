import type { Page } from 'playwright-core';
import { isFocused, tabTo } from './harness/keyboard.ts';
import { sharedSite } from './harness/shared-site.ts';
import { until } from './harness/until.ts';
import { hydrated, open, type Visitor, type VisitorOptions, visitors } from './harness/visitor.ts';

// Keyboard-only journeys. The dropdown, the FAQ and the skip link: layout.test.ts; the forms: partners.test.ts and
// newsletter.test.ts.

const { url: site } = sharedSite();

let visitor: Visitor;
let page: Page;
// Read before the page is closed.
afterEach(() => expect(visitor.problems()).toEqual([]));
const newVisitor = visitors();

async function visit(path: string, options: VisitorOptions = {}): Promise<void> {
  visitor = await newVisitor(options);
  page = visitor.page;
  await open(visitor, site + path);
}
const press = (key: string) => page.keyboard.press(key);
const query = () => Object.fromEntries(new URL(page.url()).searchParams);

test('Tab follows the visual order of the header, with a visible focus ring at each stop', async () => {
  await visit('/blocks');
  const banner = page.getByRole('banner');
  const stops = [
    page.getByRole('link', { name: 'Skip to content' }),
    banner.getByRole('link', { name: /^Blocks/ }),
    ...['HOME', 'BLOCKS', 'START building'].map((name) => banner.getByRole('link', { name, exact: true })),
    banner.getByLabel('Who it’s for'),
    banner.getByRole('link', { name: 'SUPPORT', exact: true }),
    banner.getByLabel('More support'),
    banner.getByRole('link', { name: 'DEVELOPERS', exact: true }),
    banner.getByRole('searchbox', { name: 'Search' }).or(banner.getByRole('combobox', { name: 'Search' })),
    banner.getByRole('radio', { name: 'System' }),
    banner.getByRole('link', { name: 'Log In' }),
    banner.getByRole('link', { name: 'Sign Up' }),
  ];
  for (const stop of stops) {
    await press('Tab');
    expect([String(stop), await isFocused(stop)]).toEqual([String(stop), true]);
    const framed = await stop.evaluate((node) => {
      // A radio button's focus ring is on its label.
      const shown = node.closest('label') ?? node;
      return [node, shown].some((each) => parseFloat(getComputedStyle(each).outlineWidth) >= 2);
    });
    expect([String(stop), framed]).toEqual([String(stop), true]);
  }
  // And backwards.
  await press('Shift+Tab');
  expect(await isFocused(stops.at(-2)!)).toBe(true);
});

test('the menu of narrow screens can be opened, navigated and followed', async () => {
  await visit('/home', { viewport: { width: 390, height: 844 } });
  const button = page.getByRole('button', { name: 'Open the menu' });
  const panel = page.getByRole('dialog', { name: 'Menu' });
  await tabTo(page, button);
  await press('Enter');
  await panel.waitFor();
  await tabTo(page, panel.getByRole('radio', { name: 'System' }), 20);
  await press('ArrowRight');
  await press('ArrowRight');
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  await press('Escape');
  await panel.waitFor({ state: 'hidden' });
  expect(await isFocused(button)).toBe(true);

  await press('Space');
  await panel.waitFor();
  await tabTo(page, panel.getByRole('link', { name: 'BLOCKS', exact: true }), 15);
  await press('Enter');
  await page.waitForURL('**/blocks');
  await panel.waitFor({ state: 'hidden' });
  // The focus order continues in the new page, not at the button in the header.
  await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Open a Free Account' }), 3);
});

test('the filter of the stories is in the address, which restores it', async () => {
  await visit('/cases');
  const all = page.getByRole('radio', { name: 'All' });
  const agency = page.getByRole('radio', { name: 'Digital Agency' });
  const stories = page.getByRole('main').getByRole('article');
  const shown = () => stories.filter({ visible: true }).count();
  expect(await shown()).toBe(2);
  await tabTo(page, all);
  await press('ArrowRight');
  expect(await isFocused(agency)).toBe(true);
  await until(() => expect(query()).toEqual({ filter: 'digital-agency' }));
  expect(await shown()).toBe(1);
  await page.getByRole('status').filter({ hasText: '1 story' }).waitFor();

  await page.reload();
  await hydrated(page);
  expect(await agency.isChecked()).toBe(true);
  expect(await shown()).toBe(1);
  await tabTo(page, agency);
  await press('ArrowLeft');
  await until(() => expect(query()).toEqual({}));
  expect(await shown()).toBe(2);
  await press('Tab');
  expect(await isFocused(stories.first().getByRole('link'))).toBe(true);
});

test('the filter of the blocks shows one group, announces their number, and is restored by Back', async () => {
  await visit('/blocks');
  const people = page.getByRole('radio', { name: 'People' });
  const parts = page.locator('#parts').getByRole('listitem');
  await tabTo(page, page.getByRole('radio', { name: 'All' }));
  await press('ArrowRight');
  await until(() => expect(query()).toEqual({ filter: 'people' }));
  expect(await people.isChecked()).toBe(true);
  const said = page.getByRole('status').filter({ hasText: 'of 15 blocks' });
  const count = Number.parseInt(await said.innerText(), 10);
  expect(count).toBeLessThan(15);
  expect(await parts.count()).toBe(count);
  await press('Tab');
  expect(await isFocused(parts.first().getByRole('link').first())).toBe(true);

  await page.getByRole('link', { name: 'Auth, call by call' }).press('Enter');
  await page.waitForURL('**/blocks/auth');
  await page.goBack();
  await people.waitFor();
  await until(async () => expect(await people.isChecked()).toBe(true));
  expect(await parts.count()).toBe(count);
  await page.reload();
  await hydrated(page);
  expect(await people.isChecked()).toBe(true);
  expect(await parts.count()).toBe(count);
});

test('the calculator can be filled in, and its address restores the figures', async () => {
  await visit('/agencies');
  const roi = page.locator('#roi');
  const extra = roi
    .getByText(/^Extra revenue per/)
    .locator('xpath=..')
    .first();
  const field = (name: string) => roi.getByLabel(name, { exact: true });
  const before = await extra.innerText();

  await tabTo(page, roi.getByRole('radio', { name: 'Per month' }));
  await press('ArrowRight');
  await tabTo(page, field('Projects per month'));
  await press('Control+a');
  await page.keyboard.type('6');
  await press('Tab');
  expect(await isFocused(field('Projects per month, slider'))).toBe(true);
  await press('ArrowRight');
  await until(() => expect(query()).toEqual({ period: 'year', projects: '6.5' }));
  expect(await field('Projects per month').inputValue()).toBe('6.5');
  await tabTo(page, field('Cost of an hour'));
  await press('ArrowUp');
  await until(() => expect(query()).toEqual({ period: 'year', projects: '6.5', cost: '46' }));

  const after = await extra.innerText();
  expect(after).toContain('Extra revenue per year');
  expect(after).not.toBe(before);
  await page.reload();
  await hydrated(page);
  await until(async () => expect(await extra.innerText()).toBe(after));
  expect(await field('Projects per month').inputValue()).toBe('6.5');

  // Invalid input is reported at the field; the address keeps the last valid figures.
  await tabTo(page, field('Projects per month'));
  await press('Control+a');
  await page.keyboard.type('0');
  await until(async () =>
    expect(await field('Projects per month').getAttribute('aria-invalid')).toBe('true'),
  );
  expect(await extra.innerText()).toBe(after);
  await tabTo(page, roi.getByRole('button', { name: 'Back to the example' }));
  await press('Enter');
  await until(() => expect(query()).toEqual({}));
  await until(async () => expect(await extra.innerText()).toBe(before));
});

test('one choice of language switches every code sample, and each can be copied and scrolled', async () => {
  await visit('/developers');
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site });
  const main = page.getByRole('main');
  const samples = main.locator('#integrate').getByRole('region');
  const titles = () =>
    samples
      .filter({ visible: true })
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')!));
  const languages = async () => new Set((await titles()).map((title) => title.split(', ').at(-1)));
  expect(await languages()).toEqual(new Set(['curl']));
  expect(await titles()).toHaveLength(4);

  await tabTo(page, main.locator('#integrate').getByRole('radio', { name: 'curl' }).first());
  await press('ArrowRight');
  expect(await languages()).toEqual(new Set(['JavaScript']));
  await press('ArrowRight');
  expect(await languages()).toEqual(new Set(['TypeScript']));
  expect(await titles()).toHaveLength(4);

  const [title] = await titles();
  await press('Tab');
  expect(await isFocused(main.getByRole('button', { name: `Copy: ${title}`, exact: true }))).toBe(true);
  await press('Enter');
  await main.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await samples.filter({ visible: true }).first().innerText());
  await press('Tab');
  expect(await isFocused(samples.filter({ visible: true }).first())).toBe(true);
});
