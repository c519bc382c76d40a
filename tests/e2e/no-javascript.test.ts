import { checkLinks } from './harness/check-links.ts';
import { sharedSite } from './harness/shared-site.ts';
import { readHeading, sitePages } from './harness/site-pages.ts';
import { visitors } from './harness/visitor.ts';

const newVisitor = visitors();

test('every page is readable and styled, with its header and footer', async () => {
  const visitor = await newVisitor({ javaScript: false });
  const { page } = visitor;
  for (const { path } of sitePages) {
    const response = (await page.goto(sharedSite().url + path))!;
    expect(response.status()).toBe(200);
    const heading = page.getByRole('heading', { level: 1 });
    const text = (await heading.innerText()).replace(/\s+/g, ' ');
    expect([path, text]).toEqual([path, readHeading(await response.text()).replace(/\s+/g, ' ')]);
    expect(await heading.isVisible()).toBe(true);
    expect((await page.locator('main').innerText()).length).toBeGreaterThan(600);
    expect(await page.getByRole('banner').isVisible()).toBe(true);
    expect(await page.getByRole('contentinfo').isVisible()).toBe(true);
    // The shell's stylesheet is loaded: without it the header would scroll away.
    expect(await page.getByRole('banner').boundingBox()).toMatchObject({ x: 0, y: 0 });
    expect(await page.locator('html[data-interactive]').count()).toBe(0);
  }
  expect(visitor.problems()).toEqual([]);
});

test('every link within the site leads to a page, and every anchor to its place', async () => {
  const { dead, followed } = await checkLinks(sharedSite().url);
  expect(dead).toEqual([]);
  expect(followed).toBeGreaterThan(17 * 15);
});

test('links, the FAQ, the dropdown and the mobile menu work', async () => {
  const visitor = await newVisitor({ javaScript: false });
  const { page } = visitor;
  const main = page.getByRole('banner').getByRole('navigation', { name: 'Main' });
  await page.goto(`${sharedSite().url}/home`);
  const question = page.locator('#faq details').nth(2);
  await question.locator('summary').click();
  await question.locator('p').waitFor();
  await main.getByLabel('More support').click();
  await main.getByRole('link', { name: 'Platform Status' }).waitFor();
  await main.getByRole('link', { name: 'BLOCKS', exact: true }).click();
  await page.waitForURL('**/blocks');
  expect(await main.getByRole('link', { name: 'BLOCKS', exact: true }).getAttribute('aria-current')).toBe(
    'page',
  );
  await page.getByRole('contentinfo').getByRole('link', { name: 'Team', exact: true }).click();
  await page.waitForURL('**/about-us#team');
  // Controls without a function are hidden.
  expect(await page.getByRole('banner').getByRole('radio').count()).toBe(0);

  await page.setViewportSize({ width: 390, height: 844 });
  const panel = page.getByRole('dialog', { name: 'Menu' });
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await panel.getByRole('button', { name: 'Close the menu' }).click();
  await panel.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await panel.getByRole('link', { name: 'START building', exact: true }).click();
  await page.waitForURL('**/start');
  expect(visitor.problems()).toEqual([]);
});
