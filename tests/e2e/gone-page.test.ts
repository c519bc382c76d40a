import { AxeBuilder } from '@axe-core/playwright';
import { startSite, type Site } from './harness/site.ts';
import { visitors } from './harness/visitor.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
  const retired = await site.cli('retire', 'mfe-partners', '--yes', '--reason', 'no partners this year');
  expect(retired).toMatchObject({ code: 0, stderr: '' });
});
afterAll(async () => {
  await site.stop();
});
const newVisitor = visitors();

test.each([390, 1440])(
  'a gone page is between header and footer, and needs no script, %i px wide',
  async (width) => {
    const { page, requested } = await newVisitor({ viewport: { width, height: 900 } });
    const answer = await page.goto(`${site.url}/partners`);
    expect(answer?.status()).toBe(410);
    expect(await page.title()).toMatch(/^This page is gone · ./);
    expect(await page.locator('h1').allInnerTexts()).toEqual(['This page is gone']);
    for (const landmark of ['banner', 'main', 'contentinfo'] as const)
      expect(await page.getByRole(landmark).isVisible()).toBe(true);
    // Elements that need a script are hidden, as without JavaScript.
    expect(requested().filter((path) => path.endsWith('.js'))).toEqual([]);
    expect(await page.getByRole('group', { name: 'Theme' }).count()).toBe(0);
    expect(await page.locator('[aria-current]').count()).toBe(0);
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`)),
    ).toEqual([]);

    if (width < 800) await page.getByRole('button', { name: 'Open the menu' }).click();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Blocks' })
      .first()
      .click();
    await page.waitForURL(`${site.url}/blocks`);
  },
);
