import type { Page } from 'playwright-core';
import { violationsIn } from './harness/axe.ts';
import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { open, visitors, type Visitor } from './harness/visitor.ts';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

const newVisitor = visitors();

/** The color rules: only these depend on the theme. */
const aboutColours = ['color-contrast', 'link-in-text-block'];

/** Drawings are decorative: hidden from assistive technology, and two thirds of a page's elements. */
const exclude = 'svg[aria-hidden="true"]';

async function everywhere(page: Page, sizes: { width: number; height: number }[] = [phone, desktop]) {
  const found: Record<string, string[]> = {};
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const rules = colorScheme === 'light' ? standards : aboutColours;
      const problems = await violationsIn(page, { rules, exclude });
      if (problems.length > 0) found[`${colorScheme} at ${size.width} px`] = problems;
    }
  }
  return found;
}

const goTo = async (visitor: Visitor, path: string) => {
  await visitor.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await open(visitor, sharedSite().url + path);
};
const visit = async (path: string, viewport = desktop) => {
  const visitor = await newVisitor({ viewport });
  await goTo(visitor, path);
  return visitor;
};

describe('visited one after the other', () => {
  let reader: Visitor;
  beforeAll(async () => {
    reader = await newVisitor({ viewport: desktop });
  });

  test.each(sitePages)('$path has no violation, light and dark, narrow and wide', async ({ path }) => {
    await goTo(reader, path);
    expect(await everywhere(reader.page)).toEqual({});
    expect(reader.problems()).toEqual([]);
  });
});

test('/home with every question open and the other headline has no violation', async () => {
  const visitor = await visit('/home');
  const { page } = visitor;
  const first = await page.locator('h1').innerText();
  // Repeats until a load draws the other headline: 40 draws miss it once in 10 ^ 12 runs.
  for (let draws = 0; draws < 40 && (await page.locator('h1').innerText()) === first; draws += 1)
    await goTo(visitor, '/home');
  expect(await page.locator('h1').innerText()).not.toBe(first);
  await page.locator('#faq details').nth(5).waitFor();
  for (const question of await page.locator('#faq summary').all()) await question.click();
  expect(await page.locator('#faq details[open]').count()).toBe(6);
  expect(await everywhere(page)).toEqual({});
  expect(visitor.problems()).toEqual([]);
});

test('the open mobile menu has no violation', async () => {
  const visitor = await visit('/blocks', phone);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  expect(await everywhere(page, [phone])).toEqual({});
  expect(visitor.problems()).toEqual([]);
});

test('the unfolded SUPPORT dropdown with the back-to-top button in view has no violation', async () => {
  const visitor = await visit('/policies/support');
  const { page } = visitor;
  await page.evaluate(() => {
    scrollTo(0, 600);
  });
  await page.getByRole('button', { name: 'Scroll to top' }).waitFor();
  await page.getByRole('banner').getByLabel('More support').click();
  await page.getByRole('banner').getByRole('link', { name: 'Platform Status' }).waitFor();
  expect(await everywhere(page, [desktop])).toEqual({});
  expect(visitor.problems()).toEqual([]);
});

test('the forms of /partners and the newsletter with validation errors have no violation', async () => {
  const visitor = await visit('/partners');
  const { page } = visitor;
  const forms = page.locator('main form');
  expect(await forms.count()).toBe(2);
  for (const form of await forms.all()) {
    await form.locator('button[type="submit"]').click();
    await form.getByRole('alert').waitFor();
  }
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByText('You need to provide a valid email to subscribe.').waitFor();
  expect(await page.locator('[aria-invalid="true"]').count()).toBeGreaterThan(8);
  expect(await everywhere(page)).toEqual({});
  expect(visitor.problems()).toEqual([]);
});

test.each([
  [
    '/cases',
    'another filter',
    async (page: Page) => page.locator('main').getByRole('radio').last().check({ force: true }),
  ],
  [
    '/agencies',
    'every part of the calculator unfolded',
    async (page: Page) => {
      for (const summary of await page.locator('main summary').all()) await summary.click();
    },
  ],
] as const)('%s with %s has no violation', async (path, _, prepare) => {
  const visitor = await visit(path);
  await prepare(visitor.page);
  expect(await everywhere(visitor.page)).toEqual({});
  expect(visitor.problems()).toEqual([]);
});
